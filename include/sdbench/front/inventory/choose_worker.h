#pragma once

#include <memory>

#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/bench/worker_process.h"

namespace sdbench {

/// Our worker from the installed tree, chosen by SDBENCH_LIBTORCH or, if that is not set, by the
/// machine's GPUs. On a machine without a CUDA driver, it is the variant that does not load
/// libtorch's CUDA libraries. If no worker fits, throws an Error that names the workers found.
[[nodiscard]] WorkerProgram chosen_worker();
/// An executor that runs cells in chosen_worker(). Sets options.program to that worker.
[[nodiscard]] std::unique_ptr<WorkerExecutor> make_worker_executor(WorkerOptions& options);
/// An executor that runs cells in chosen_worker() and in the workers of other projects' engines.
/// Sets options.program to chosen_worker().
[[nodiscard]] std::unique_ptr<Executor> make_engine_executor(WorkerOptions& options);

} // namespace sdbench
