#pragma once

#include <cstdint>
#include <functional>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Latents [B, 4, h, w] -> pixels [B, 3, 8h, 8w], at most `images` of them at a time, as diffusers'
/// VAE slicing does with one: each image's numbers are its own, so they stay the same. `decode`
/// does the same for a part of the batch.
[[nodiscard]] at::Tensor
decode_in_parts(const at::Tensor& latents, std::int64_t images,
                const std::function<at::Tensor(const at::Tensor&)>& decode);

} // namespace sdbench
