#pragma once

#include <string>

#include "sdbench/bench/telemetry.h"
#include "sdbench/executor/executor.h"
#include "sdbench/plan/cell.h"
#include "sdbench/record/build_record.h"

namespace sdbench {

/// Runs a cell and makes its record: whatever happens in the cell, there is a row. run_id and
/// time_utc of `context` are filled here. `telemetry`: the sensors beside it, or nullptr.
[[nodiscard]] RunRecord run_cell(const Cell& cell, Executor& executor, ExecutorObserver& observer,
                                 RecordContext context, Telemetry* telemetry = nullptr);

/// The row of a cell that is left out, with the reason.
[[nodiscard]] RunRecord skip_cell(const Cell& cell, const std::string& reason,
                                  RecordContext context);

} // namespace sdbench
