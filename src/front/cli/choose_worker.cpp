#include "choose_worker.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/device/host.h"
#include "sdbench/front/bench/find_worker.h"

namespace sdbench {

namespace {

/// What libraries below libtorch answer with a crash.
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

std::unique_ptr<WorkerExecutor> make_worker_executor(WorkerOptions& options) {
  refuse_what_ends_a_worker();
  const char* libtorch = std::getenv("SDBENCH_LIBTORCH");
  options.program = find_worker(libexec_folder(), libtorch == nullptr ? "" : libtorch);
  if (!has_cuda_driver()) {
    options.program = without_cuda(std::move(options.program));
  }
  return std::make_unique<WorkerExecutor>(options);
}

} // namespace sdbench
