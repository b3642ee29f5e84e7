#pragma once

#include <span>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// Value of `--baseline` for the best of each column.
inline constexpr const char* kBestBaseline = "best";

/// The rows that `name` stands for, by place in the table. The name may be of a file (or its
/// folder), a label, a host, a device or (the beginning of) a run_id; the first kind that fits any
/// row counts. Empty if no row fits.
[[nodiscard]] std::vector<bool>
baseline_rows(const ResultTable& table, std::span<const std::size_t> rows, const std::string& name);

/// Gives each pool its base, the ratio and the verdict. If a column has several candidates, prefers
/// the one with the same settings (number format, attention, engine's axes, weights' kind), then
/// the most similar in place and software. Needs names and ranks, because a baseline may be a
/// line's number or name. Throws UsageError if the baseline fits nothing.
void choose_baselines(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
