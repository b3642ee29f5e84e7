#include "sdbench/worker/torch_executor.h"

#include "cell_run.h"
#include "sdbench/worker/cell_failure.h"

namespace sdbench {

CellOutcome TorchExecutor::run(const Cell& cell, ExecutorObserver& observer) {
  CellRun run(cell, observer, stop_);
  CellOutcome outcome;
  try {
    run.run();
    outcome.status = Status::kOk;
  } catch (...) {
    outcome = outcome_of_current_exception();
    outcome.stage = run.stage();
  }
  outcome.result = run.result();
  outcome.device = run.device();
  return outcome;
}

} // namespace sdbench
