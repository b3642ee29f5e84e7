#pragma once

#include <memory>

#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/bench/worker_process.h"

namespace sdbench {

/// Our worker that SDBENCH_LIBTORCH and the installed tree give, by the GPUs where that is not set
/// and there are several; without libtorch's CUDA half on a machine that has no driver for it.
/// Throws Error naming what is there.
[[nodiscard]] WorkerProgram chosen_worker();
/// An executor over it; sets options.program.
[[nodiscard]] std::unique_ptr<WorkerExecutor> make_worker_executor(WorkerOptions& options);
/// An executor over it and the workers of other engines; sets options.program.
[[nodiscard]] std::unique_ptr<Executor> make_engine_executor(WorkerOptions& options);

} // namespace sdbench
