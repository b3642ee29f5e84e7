#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Why sdbench's own engines cannot train a network on a CPU in the cell's format. Empty if they
/// can, or if the cell does not train.
[[nodiscard]] std::string cpu_training_obstacle(const Cell& cell);

} // namespace sdbench
