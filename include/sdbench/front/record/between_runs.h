#pragma once

#include <span>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Minimum number of rows of one cell, including the new row, for an interval between runs.
inline constexpr std::size_t kRowsForBetweenRuns = 2;

/// Replaces the record's 95 % intervals, which come from its own timed runs, by intervals computed
/// from the means of this row and of earlier rows of the same measurement. Each row is one sample,
/// because what differs between restarts or rounds (clocks, heat, memory placement) does not show
/// within one row. The new interval is for the mean of these rows, not for this row's own figure.
/// Rows of `earlier` (in any order) are of the same measurement if they
/// - come from another round, restart or sweep, and have whole timed runs
/// - agree in cell, environment, card state, engine, engine revision and tags
/// - agree in weights, seed and prompts, which cell_id does not cover
/// A PCIe generation counts as unknown if only one of the card's rows reports it, and other rows
/// report a different one. The record stays as it is if it has no whole timed run, if fewer than
/// kRowsForBetweenRuns rows match, or if the new interval is narrower than the old one.
void apply_between_runs(RunRecord& record, std::span<const RunRecord> earlier);

} // namespace sdbench
