#include "sdbench/worker/torch_executor.h"

#include "cell_run.h"
#include "sdbench/worker/cell_failure.h"
#include "sdbench/worker/cuda_facts.h"
#include "sdbench/worker/device_choice.h"

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
  return outcome;
}

std::vector<DeviceInfo> TorchExecutor::devices() {
  std::vector<DeviceInfo> devices = cuda_devices();
  devices.push_back(describe_device(c10::Device(c10::kCPU), {}));
  return devices;
}

} // namespace sdbench
