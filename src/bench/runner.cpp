#include "sdbench/bench/runner.h"

#include "sdbench/bench/cell_telemetry.h"
#include "sdbench/bench/environment.h"

namespace sdbench {

RunRecord run_cell(const Cell& cell, Executor& executor, ExecutorObserver& observer,
                   RecordContext context, Telemetry* telemetry) {
  context.run_id = random_id();
  context.time_utc = utc_now();
  if (telemetry == nullptr) {
    return build_record(cell, executor.run(cell, observer), context);
  }
  const std::string cell_id = build_record(cell, CellOutcome{}, context).cell_id;
  CellTelemetry watched(*telemetry, observer, {context.run_id, cell_id});
  const CellOutcome outcome = executor.run(cell, watched);
  RunRecord record = build_record(cell, outcome, context);
  watched.finish(record);
  return record;
}

} // namespace sdbench
