#pragma once

#include <span>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// What `--baseline` says for "the best of each column".
inline constexpr const char* kBestBaseline = "best";

/// The rows that the name of a file (or of its folder), a label, a host, a device or (the beginning
/// of) a run_id stands for: by place in the table, the first kind that fits any. Empty if none
/// does.
[[nodiscard]] std::vector<bool>
baseline_rows(const ResultTable& table, std::span<const std::size_t> rows, const std::string& name);

/// Gives each pool the one it is compared with, the ratio and the verdict. Of several in a column
/// that is the one with the same settings (number format, attention, engine's axes, weights' kind),
/// and of those the most alike in place and software. Needs names and ranks, for a baseline may
/// also be a line's number or name. Throws UsageError if it is nothing at all.
void choose_baselines(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
