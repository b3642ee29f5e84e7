#pragma once

#include <string>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// Runs a cell and makes its record, also if the cell fails. Fills run_id and time_utc of
/// `context`. `telemetry`: sensors to sample meanwhile, or nullptr.
[[nodiscard]] RunRecord run_cell(const Cell& cell, Executor& executor, ExecutorObserver& observer,
                                 RecordContext context, Telemetry* telemetry = nullptr);

/// The row of a skipped cell, with the reason.
[[nodiscard]] RunRecord skip_cell(const Cell& cell, const std::string& reason,
                                  RecordContext context);

} // namespace sdbench
