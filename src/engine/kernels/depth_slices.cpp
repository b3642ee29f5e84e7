#include "depth_slices.h"

#include <algorithm>

#include "kit.h"
#include "packing.h"

namespace sdbench::kernels {

std::vector<Slice> slices_of(std::int64_t channels) {
  constexpr std::int64_t kMostDepth = 176; // three panels of this depth are 33 KiB
  const std::int64_t count = (channels + kMostDepth - 1) / kMostDepth;
  const std::int64_t depth = round_up((channels + count - 1) / count, kDepthStep);
  std::vector<Slice> slices;
  for (std::int64_t first = 0; first < channels; first += depth) {
    slices.push_back({first, std::min(depth, channels - first)});
  }
  return slices;
}

} // namespace sdbench::kernels
