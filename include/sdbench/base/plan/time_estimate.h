#pragma once

#include <functional>
#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// True if the cell's number of operations is so high that it may take many minutes on a CPU.
/// False: the cell takes less than 5 minutes even on a slow CPU, and needs no time estimate.
[[nodiscard]] bool may_take_long(const Cell& cell);

/// Estimated seconds of a cell on a CPU, from its number of operations. `rate`: measured FLOP/s of
/// a matrix product as large as a UNet's matrix products.
[[nodiscard]] double seconds_by_arithmetic(const Cell& cell, double rate);

/// Estimated time as text, in whole numbers: "11 days", "5 h", "16 min", "40 s".
[[nodiscard]] std::string rough_time(double seconds);

/// Text that says what an expected time is based on: "on this processor, by its arithmetic and the
/// measured speed of a matrix product". If `seconds` is many minutes, the text also names quicker
/// options: "; to shorten it, take fewer steps …". `by_rows`: true if the time is from an earlier
/// row of results.
[[nodiscard]] std::string expected_time_basis(const Cell& cell, double seconds, bool by_rows);

/// A note for the user that the cell will take many minutes on this CPU; empty if it will not. The
/// note is shown before anything is loaded. The time is Cell::expected_s, if set; else it is
/// estimated as in seconds_by_arithmetic(). `rate`: measures the FLOP/s of a matrix product as
/// large as a UNet's; called only if needed.
[[nodiscard]] std::string expected_time_note(const Cell& cell, const std::function<double()>& rate);

} // namespace sdbench
