#pragma once

#include <memory>

#include "sdbench/front/bench/worker_process.h"

namespace sdbench {

/// An executor over the worker that SDBENCH_LIBTORCH and the installed tree give, without
/// libtorch's CUDA half on a machine that has no driver for it; sets options.program. Throws Error
/// naming what is there.
[[nodiscard]] std::unique_ptr<WorkerExecutor> make_worker_executor(WorkerOptions& options);

} // namespace sdbench
