#pragma once

#include <chrono>
#include <cstddef>

#include "sdbench/engine/distributed/data_parallel.h"

namespace sdbench {

/// Throws Error if device `other` has ended, or if `waited`, the time that this device has waited
/// for it, exceeds its patience.
void require_partner(const DevicePlace& place, std::size_t other,
                     std::chrono::steady_clock::duration waited);

} // namespace sdbench
