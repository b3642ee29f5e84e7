#pragma once

#include <string>

#include "sdbench/front/inventory/device_list.h"

namespace sdbench {

/// An array of objects, in SI units. Unknown values are null. CUDA's problem is a member of the
/// processor, which computes instead.
[[nodiscard]] std::string device_json(const DeviceList& list);

} // namespace sdbench
