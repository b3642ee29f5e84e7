#pragma once

#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"

namespace sdbench {

/// The device for --device among `devices`, or nullptr: "auto" (the first GPU, else the CPU), "cpu"
/// or "cpu:K" (a part of it), "cuda" (the first GPU) or "cuda:N", where N counts the GPUs of the
/// list.
[[nodiscard]] const DeviceInfo* find_device(const std::string& asked,
                                            const std::vector<DeviceInfo>& devices);

} // namespace sdbench
