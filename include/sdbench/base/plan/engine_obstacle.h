#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Why the cell's engine cannot compute in the way that is asked for (device, dtype, axes), in one
/// line; empty if it can. The worker checks what only the device shows.
[[nodiscard]] std::string engine_obstacle(const Cell& cell);

/// Why sdbench's own engines cannot train a network on a CPU in the cell's format. Empty if they
/// can, and for a cell that does not train.
[[nodiscard]] std::string cpu_training_obstacle(const Cell& cell);

} // namespace sdbench
