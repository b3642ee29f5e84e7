#pragma once

#include <span>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Rows of one cell that an interval between runs needs, the row itself included.
inline constexpr std::size_t kRowsForBetweenRuns = 2;

/// Replaces the record's 95 % intervals by those between runs, if `earlier` has enough rows of the
/// same measurement with whole timed runs. These may be of another round, restart or sweep, but
/// have the same cell, environment, card state, engine and engine revision, and the same weights,
/// seed and prompts, which cell_id leaves out. A row counts once, by its mean: what differs between
/// restarts or rounds (clocks, heat, where memory lies) does not show within one. The interval is
/// of the mean over these rows, not of this row's own figure. The order of `earlier` does not
/// matter. Other rows count only for the link's generation: one that a single row of the card has
/// seen is unknown. A record without a whole timed run stays as it is.
void apply_between_runs(RunRecord& record, std::span<const RunRecord> earlier);

} // namespace sdbench
