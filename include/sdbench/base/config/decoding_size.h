#pragma once

#include <cstdint>
#include <optional>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// Numbers of the largest intermediate result that the VAE makes of one image (width, height in
/// pixels): its last up block takes the channels of the level below it at full size.
[[nodiscard]] std::int64_t decoded_elements(const VaeConfig& vae, std::int64_t width,
                                            std::int64_t height);

/// Most numbers that one such result is to have on a GPU. From 2^31 on libtorch and cuDNN must
/// split it or count in 64 bits, on paths that hardly anybody runs; half of that leaves them no
/// doubt.
inline constexpr std::int64_t kMostDecodedOnGpu = std::int64_t{1} << 30;

/// Images of a batch that are decoded at once, so that no result has more than `most` numbers: all
/// without `most`, else parts of about one size, of at least one image. `elements`: those of one
/// image, at least 1.
[[nodiscard]] std::int64_t images_decoded_at_once(std::int64_t elements, std::int64_t batch,
                                                  std::optional<std::int64_t> most);

} // namespace sdbench
