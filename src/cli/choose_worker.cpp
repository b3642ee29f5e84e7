#include "sdbench/cli/choose_worker.h"

#include <cstdlib>

#include "sdbench/config/install_paths.h"

namespace sdbench {

std::unique_ptr<WorkerExecutor> make_worker_executor(WorkerOptions& options) {
  const char* libtorch = std::getenv("SDBENCH_LIBTORCH");
  options.program = find_worker(libexec_folder(), libtorch == nullptr ? "" : libtorch);
  return std::make_unique<WorkerExecutor>(options);
}

} // namespace sdbench
