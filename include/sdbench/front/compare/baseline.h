#pragma once

#include <span>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// The value of `--baseline` that makes each column's best pool (place in the table) the baseline.
inline constexpr const char* kBestBaseline = "best";

/// One flag for each row of `table`: true if `rows` contains the row and `name` refers to it.
/// `name` may be a file (or its folder), a label, a host, a device, or a run_id (or its beginning).
/// Uses the first of these kinds of name that fits any row. Empty if no row fits, or if `name` is
/// empty or "best".
[[nodiscard]] std::vector<bool>
baseline_rows(const ResultTable& table, std::span<const std::size_t> rows, const std::string& name);

/// Sets each pool's base (the pool with which it is compared), the ratio to it, and the verdict. If
/// several pools of a column could be the base, prefers the one with the same settings (dtype,
/// attention, engine axes, kind of weights), then the one most similar in machine and software.
/// Call it after names and ranks are set: --baseline may be a line's number, name or engine. Throws
/// UsageError if --baseline fits no row.
void choose_baselines(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
