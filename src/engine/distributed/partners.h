#pragma once

#include <chrono>
#include <cstddef>

#include "sdbench/engine/distributed/data_parallel.h"

namespace sdbench {

/// Throws Error if device `other`, for which this one has waited so long, has ended, or if that is
/// longer than its patience.
void require_partner(const DevicePlace& place, std::size_t other,
                     std::chrono::steady_clock::duration waited);

} // namespace sdbench
