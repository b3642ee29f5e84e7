#pragma once

#include <string>

#include "sdbench/front/inventory/device_list.h"

namespace sdbench {

/// A block of lines for each device, and problems with GPUs.
[[nodiscard]] std::string device_blocks(const DeviceList& list);

} // namespace sdbench
