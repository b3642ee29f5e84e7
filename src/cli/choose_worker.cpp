#include "sdbench/cli/choose_worker.h"

#include <cstdlib>
#include <utility>

#include "sdbench/bench/find_worker.h"
#include "sdbench/config/install_paths.h"
#include "sdbench/device/cuda_driver.h"

namespace sdbench {

std::unique_ptr<WorkerExecutor> make_worker_executor(WorkerOptions& options) {
  const char* libtorch = std::getenv("SDBENCH_LIBTORCH");
  options.program = find_worker(libexec_folder(), libtorch == nullptr ? "" : libtorch);
  if (!has_cuda_driver()) {
    options.program = without_cuda(std::move(options.program));
  }
  return std::make_unique<WorkerExecutor>(options);
}

} // namespace sdbench
