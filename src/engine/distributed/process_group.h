#pragma once

#include <chrono>

#include <c10/core/Device.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "sdbench/engine/distributed/data_parallel.h"

namespace sdbench {

using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

/// How long a device waits for another that has not ended: less than the front's --timeout, so that
/// its row says what it waited for.
inline constexpr std::chrono::seconds kPatience{300};

/// The group of all devices of `place`, when all of them are there. `device`: this one's tensors'.
/// Throws Error if another has ended, or does not come.
[[nodiscard]] ProcessGroup make_process_group(DevicePlace place, c10::Device device);

} // namespace sdbench
