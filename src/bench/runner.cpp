#include "sdbench/bench/runner.h"

#include "sdbench/bench/environment.h"

namespace sdbench {

RunRecord run_cell(const Cell& cell, Executor& executor, ExecutorObserver& observer,
                   RecordContext context) {
  context.run_id = random_id();
  context.time_utc = utc_now();
  const CellOutcome outcome = executor.run(cell, observer);
  return build_record(cell, outcome, context);
}

RunRecord skip_cell(const Cell& cell, const std::string& reason, RecordContext context) {
  context.run_id = random_id();
  context.time_utc = utc_now();
  CellOutcome outcome;
  outcome.status = Status::kSkipped;
  outcome.message = reason;
  return build_record(cell, outcome, context);
}

} // namespace sdbench
