#pragma once

#include <string>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/record/build_record.h"
#include "sdbench/front/bench/telemetry.h"

namespace sdbench {

/// Runs a cell and makes its record: whatever happens in the cell, there is a row. run_id and
/// time_utc of `context` are filled here. `telemetry`: the sensors beside it, or nullptr.
[[nodiscard]] RunRecord run_cell(const Cell& cell, Executor& executor, ExecutorObserver& observer,
                                 RecordContext context, Telemetry* telemetry = nullptr);

/// The row of a cell that is left out, with the reason.
[[nodiscard]] RunRecord skip_cell(const Cell& cell, const std::string& reason,
                                  RecordContext context);

} // namespace sdbench
