#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Loud, because an accuracy of made-up images is easily taken for CIFAR-10's. Empty where the cell
/// has no epochs, or its data were named.
[[nodiscard]] std::string made_up_data_text(const Cell& cell);

} // namespace sdbench
