#pragma once

#include <functional>
#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// True if a cell may take many minutes on a processor, by its counted arithmetic. Smaller cells
/// need no estimate before they begin.
[[nodiscard]] bool may_take_long(const Cell& cell);

/// Seconds of a cell on a processor by its counted arithmetic. `rate`: FLOP/s of a matrix product
/// of a UNet's size.
[[nodiscard]] double seconds_by_arithmetic(const Cell& cell, double rate);

/// "11 days", "5 h", "16 min", "40 s": whole numbers, because it is for estimates.
[[nodiscard]] std::string rough_time(double seconds);

/// "on this processor, by its arithmetic …; quicker are fewer steps …": the basis of a cell's
/// expected time, and what would be quicker if that is many minutes. `by_rows`: seconds are from an
/// earlier row.
[[nodiscard]] std::string expected_time_basis(const Cell& cell, double seconds, bool by_rows);

/// A note, before anything is loaded, on a cell that will take many minutes on a processor; else
/// empty. Uses Cell::expected_s, or else the cell's counted arithmetic and `rate`, which is called
/// only if needed: FLOP/s of a product of matrices as large as a UNet's.
[[nodiscard]] std::string expected_time_note(const Cell& cell, const std::function<double()>& rate);

} // namespace sdbench
