#pragma once

#include <functional>
#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Whether a cell may take many minutes on a processor, by its counted arithmetic: of a smaller one
/// nothing needs to be told before it begins.
[[nodiscard]] bool may_take_long(const Cell& cell);

/// Seconds of a cell on a processor by its counted arithmetic, where a product of matrices as large
/// as a UNet's has `rate` FLOP/s.
[[nodiscard]] double seconds_by_arithmetic(const Cell& cell, double rate);

/// "11 days", "5 h", "16 min", "40 s": for an estimate, whole ones are enough.
[[nodiscard]] std::string rough_time(double seconds);

/// "on this processor, by its arithmetic …; quicker are fewer steps …": what stands behind the time
/// of a cell, and what is quicker where that is many minutes. `by_rows`: seconds by an earlier row.
[[nodiscard]] std::string expected_time_basis(const Cell& cell, double seconds, bool by_rows);

/// What is told of a cell that will take many minutes on a processor, before anything is loaded: by
/// Cell::expected_s, else by its counted arithmetic and `rate`, which is asked for only where it is
/// needed: FLOP/s of a product of matrices as large as a UNet's. Empty of a shorter one.
[[nodiscard]] std::string expected_time_note(const Cell& cell, const std::function<double()>& rate);

} // namespace sdbench
