#pragma once

#include <cstdint>
#include <vector>

namespace sdbench::kernels {

/// A range of input channels, small enough that the panels of one product stay in the first-level
/// cache.
struct Slice {
  std::int64_t first = 0; ///< the first channel
  std::int64_t depth = 0; ///< channels
};

/// Cuts `channels` in fp32 into slices of nearly equal depth. The first has the largest depth.
[[nodiscard]] std::vector<Slice> slices_of(std::int64_t channels);

} // namespace sdbench::kernels
