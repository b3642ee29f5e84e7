#include "sdbench/front/bench/cell_to_record.h"

#include <optional>

#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/cell_telemetry.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/sink/telemetry_csv.h"

namespace sdbench {

RunRecord run_cell(const Cell& cell, Executor& executor, ExecutorObserver& observer,
                   RecordContext context, Telemetry* telemetry) {
  context.run_id = random_id();
  context.time_utc = utc_now();
  if (telemetry == nullptr) {
    return build_record(cell, executor.run(cell, observer), context);
  }
  const auto shared = context.parallel_id.empty()
                          ? std::nullopt
                          : std::optional(TelemetryTag{context.parallel_id, ""});
  CellTelemetry watched(*telemetry, observer, {context.run_id, cell_id_of(cell, context)}, shared);
  context.machine = telemetry->machine(); // as it is now
  const CellOutcome outcome = executor.run(cell, watched);
  RunRecord record = build_record(cell, outcome, context);
  watched.finish(record);
  return record;
}

RunRecord skip_cell(const Cell& cell, const std::string& reason, RecordContext context) {
  context.run_id = random_id();
  context.time_utc = utc_now();
  if (is_whole(cell)) {
    context.parallel_id = context.run_id;
  }
  CellOutcome outcome;
  outcome.status = Status::kSkipped;
  outcome.message = reason;
  return build_record(cell, outcome, context);
}

} // namespace sdbench
