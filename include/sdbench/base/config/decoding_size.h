#pragma once

#include <cstdint>
#include <optional>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// Number of elements of the VAE's largest activation when it decodes one image (width, height in
/// pixels). This activation is the input of the decoder's last up block. It has the image's width
/// and height, and the output channels of the previous up block.
[[nodiscard]] std::int64_t decoded_elements(const VaeConfig& vae, std::int64_t width,
                                            std::int64_t height);

/// Maximum number of elements of an activation when a GPU decodes one or more images. Tensors of
/// 2^31 elements or more make libtorch and cuDNN run rarely used code, which splits the tensor or
/// uses 64-bit indices. The limit is half of 2^31, as a safety margin.
inline constexpr std::int64_t kMostDecodedOnGpu = std::int64_t{1} << 30;

/// How many images of a batch are decoded together, so that no tensor exceeds `most` elements.
/// Without `most`: the whole batch. Otherwise the batch is split into parts of nearly equal size
/// with at least one image each. `elements`: elements of the largest tensor of one image, at least
/// 1.
[[nodiscard]] std::int64_t images_decoded_at_once(std::int64_t elements, std::int64_t batch,
                                                  std::optional<std::int64_t> most);

} // namespace sdbench
