#pragma once

#include <cstdint>
#include <optional>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// Elements of the largest intermediate result when the VAE decodes one image (width, height in
/// pixels): its last up block takes the channels of the level below it at full size.
[[nodiscard]] std::int64_t decoded_elements(const VaeConfig& vae, std::int64_t width,
                                            std::int64_t height);

/// Most elements that one such result may have on a GPU. From 2^31 on libtorch and cuDNN must split
/// it or use 64-bit indices, on paths that are rarely run. Half of that keeps a safe distance.
inline constexpr std::int64_t kMostDecodedOnGpu = std::int64_t{1} << 30;

/// Images of a batch to decode at once, so that no result has more than `most` elements. The whole
/// batch without `most`, else parts of nearly equal size, at least one image each. `elements`: of
/// one image, at least 1.
[[nodiscard]] std::int64_t images_decoded_at_once(std::int64_t elements, std::int64_t batch,
                                                  std::optional<std::int64_t> most);

} // namespace sdbench
