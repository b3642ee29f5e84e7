#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// What engines of others come to keep in the cache at most: nobody looks whether it is there.
struct DiskEstimate {
  std::size_t prepared = 0; ///< models that are exported or converted
  std::int64_t bytes = 0;   ///< of them, and of synthetic weights that are written for them
};

[[nodiscard]] DiskEstimate disk_estimate(std::span<const Cell* const> cells);

} // namespace sdbench
