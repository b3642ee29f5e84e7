#pragma once

#include <chrono>
#include <cstddef>

#include <c10/core/Device.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "sdbench/engine/distributed/data_parallel.h"

namespace sdbench {

using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

/// Waits for all devices of `place`, and returns their group. `device`: the c10::Device of this
/// device's tensors. Throws Error if another device has ended or does not come.
[[nodiscard]] ProcessGroup make_process_group(DevicePlace place, c10::Device device);

/// Throws Error if device `other` has ended, or if `waited` exceeds the patience of `place`.
/// `waited`: how long this device has waited for `other`.
void require_partner(const DevicePlace& place, std::size_t other,
                     std::chrono::steady_clock::duration waited);

} // namespace sdbench
