#pragma once

#include <string>

#include "sdbench/front/inventory/device_list.h"

namespace sdbench {

/// An array of objects, in SI units; what is not known is null. CUDA's problem stands with the
/// processor, which computes instead.
[[nodiscard]] std::string device_json(const DeviceList& list);

} // namespace sdbench
