#pragma once

#include <chrono>
#include <cstddef>

#include <c10/core/Device.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "sdbench/engine/distributed/data_parallel.h"

namespace sdbench {

using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

/// The group of all devices of `place`, when all of them are there. `device`: this one's tensors'.
/// Throws Error if another has ended, or does not come.
[[nodiscard]] ProcessGroup make_process_group(DevicePlace place, c10::Device device);

/// Throws Error if device `other`, for which this one has waited so long, has ended, or if that is
/// longer than its patience.
void require_partner(const DevicePlace& place, std::size_t other,
                     std::chrono::steady_clock::duration waited);

} // namespace sdbench
