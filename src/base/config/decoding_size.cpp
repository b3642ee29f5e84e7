#include "sdbench/base/config/decoding_size.h"

#include <algorithm>
#include <cstddef>

#include "sdbench/base/numbers/units.h"

namespace sdbench {
std::int64_t decoded_elements(const VaeConfig& vae, std::int64_t width, std::int64_t height) {
  const auto& channels = vae.block_out_channels;
  return channels[std::min<std::size_t>(1, channels.size() - 1)] * width * height;
}

std::int64_t images_decoded_at_once(std::int64_t elements, std::int64_t batch,
                                    std::optional<std::int64_t> most) {
  if (!most) {
    return batch;
  }
  const std::int64_t fit = std::max<std::int64_t>(1, *most / elements);
  return batch_count(batch, batch_count(batch, fit));
}

} // namespace sdbench
