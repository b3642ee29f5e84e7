#pragma once

#include <cstdint>
#include <functional>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Decodes latents [B, C, h, w] to pixels [B, 3, 8h, 8w]. `images`: maximum number of images that
/// are decoded at a time; in diffusers' VAE slicing it is 1. The result is the same for any
/// `images`, because images do not affect each other. `decode` decodes a part of the batch.
[[nodiscard]] at::Tensor
decode_in_parts(const at::Tensor& latents, std::int64_t images,
                const std::function<at::Tensor(const at::Tensor&)>& decode);

} // namespace sdbench
