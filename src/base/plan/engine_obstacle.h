#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Why the cell's engine cannot compute in the way that is asked for (device, dtype, axes), in one
/// line, or nothing. What only the device can tell is its worker's to say.
[[nodiscard]] std::string engine_obstacle(const Cell& cell);

} // namespace sdbench
