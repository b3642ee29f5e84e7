#pragma once

#include <memory>

#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/bench/worker_process.h"

namespace sdbench {

/// Our worker from the installed tree, chosen by SDBENCH_LIBTORCH or, if that is not set, by the
/// machine's GPUs. Without a driver for CUDA, the one without libtorch's CUDA half. Throws Error
/// that names the workers found.
[[nodiscard]] WorkerProgram chosen_worker();
/// An executor over chosen_worker(). Sets options.program.
[[nodiscard]] std::unique_ptr<WorkerExecutor> make_worker_executor(WorkerOptions& options);
/// An executor over chosen_worker() and the workers of other engines. Sets options.program.
[[nodiscard]] std::unique_ptr<Executor> make_engine_executor(WorkerOptions& options);

} // namespace sdbench
