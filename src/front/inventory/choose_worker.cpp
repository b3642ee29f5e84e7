#include "sdbench/front/inventory/choose_worker.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/bench/libtorch_for_gpus.h"
#include "sdbench/front/other_engines/engine_executor.h"
#include "sdbench/front/telemetry/nvml_with_timeouts.h"

namespace sdbench {

namespace {

/// Throws Error for conditions with which libraries below libtorch crash.
void refuse_what_ends_a_worker() {
  std::error_code deleted;
  static_cast<void>(std::filesystem::current_path(deleted));
  if (deleted) {
    throw Error("the current folder must exist, but cannot be found (" + deleted.message() +
                "); was it deleted? cd to another one");
  }
  if (const std::string obstacle = capability_obstacle(); !obstacle.empty()) {
    throw Error(obstacle);
  }
}

} // namespace

WorkerProgram chosen_worker() {
  const char* const asked = std::getenv("SDBENCH_LIBTORCH");
  std::string libtorch = asked == nullptr ? "" : asked;
  const std::filesystem::path libexec = libexec_folder();
  if (libtorch.empty() && has_cuda_driver()) {
    libtorch = libtorch_for_gpus(list_workers(libexec), nvml_gpus());
  }
  WorkerProgram program = find_worker(libexec, libtorch);
  return has_cuda_driver() ? program : without_cuda(std::move(program));
}

std::unique_ptr<WorkerExecutor> make_worker_executor(WorkerOptions& options) {
  refuse_what_ends_a_worker();
  options.program = chosen_worker();
  return std::make_unique<WorkerExecutor>(options);
}

std::unique_ptr<Executor> make_engine_executor(WorkerOptions& options) {
  refuse_what_ends_a_worker();
  options.program = chosen_worker();
  return std::make_unique<EngineExecutor>(options);
}

} // namespace sdbench
