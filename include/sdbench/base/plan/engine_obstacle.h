#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Why the cell's engine cannot compute in the requested way (device, dtype, axes), in one line;
/// empty if it can. The worker checks what depends on the device.
[[nodiscard]] std::string engine_obstacle(const Cell& cell);

/// Why sdbench's own engines cannot train a network on a CPU in the cell's format. Empty if they
/// can, or if the cell does not train.
[[nodiscard]] std::string cpu_training_obstacle(const Cell& cell);

} // namespace sdbench
