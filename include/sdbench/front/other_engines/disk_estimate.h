#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Upper bound of what other engines will keep in the cache; ignores what is already there.
struct DiskEstimate {
  std::size_t prepared = 0; ///< models that are exported or converted
  std::int64_t bytes = 0;   ///< of these models, and of synthetic weights written for them
};

[[nodiscard]] DiskEstimate disk_estimate(std::span<const Cell* const> cells);

} // namespace sdbench
