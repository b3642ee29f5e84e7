#pragma once

#include <string>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// Runs a cell and returns its record, even if the cell fails. Fills in run_id and time_utc, which
/// `context` leaves empty. `telemetry`: sensors to sample while the cell runs, or nullptr.
[[nodiscard]] RunRecord run_cell(const Cell& cell, Executor& executor, ExecutorObserver& observer,
                                 RecordContext context, Telemetry* telemetry = nullptr);

/// The record of a cell that is skipped, with the reason.
[[nodiscard]] RunRecord skip_cell(const Cell& cell, const std::string& reason,
                                  RecordContext context);

} // namespace sdbench
