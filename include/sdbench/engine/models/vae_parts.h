#pragma once

#include <cstdint>
#include <functional>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Latents [B, 4, h, w] -> pixels [B, 3, 8h, 8w], at most `images` of them at a time. diffusers'
/// VAE slicing does this with one image at a time. Images do not affect each other, so the result
/// is the same. `decode` decodes a part of the batch.
[[nodiscard]] at::Tensor
decode_in_parts(const at::Tensor& latents, std::int64_t images,
                const std::function<at::Tensor(const at::Tensor&)>& decode);

} // namespace sdbench
