#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Why the cell's engine cannot compute in the requested way (device, dtype, axes), in one line;
/// empty if it can. The worker checks what depends on the device.
[[nodiscard]] std::string engine_obstacle(const Cell& cell);

} // namespace sdbench
