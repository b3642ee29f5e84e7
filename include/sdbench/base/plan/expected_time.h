#pragma once

#include <functional>
#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Whether a cell may take many minutes on a processor, by its counted arithmetic: of a smaller one
/// nothing needs to be told before it begins.
[[nodiscard]] bool may_take_long(const Cell& cell);

/// What is told of a cell that will take many minutes on a processor, before anything is loaded: by
/// Cell::expected_s, else by its counted arithmetic and `rate`, which is asked for only where it is
/// needed: FLOP/s of a product of matrices as large as a UNet's. Empty of a shorter one.
[[nodiscard]] std::string expected_time_note(const Cell& cell, const std::function<double()>& rate);

} // namespace sdbench
