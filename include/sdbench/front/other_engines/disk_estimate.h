#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Upper bound of the disk space that other projects' engines will use in the cache. It assumes an
/// empty cache.
struct DiskEstimate {
  std::size_t prepared = 0; ///< number of models to be exported or converted
  std::int64_t bytes = 0;   ///< bytes of these models, and of synthetic weights written for them
};

[[nodiscard]] DiskEstimate disk_estimate(std::span<const Cell* const> cells);

} // namespace sdbench
