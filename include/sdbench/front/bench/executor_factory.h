#pragma once

#include <functional>
#include <memory>

#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/worker_process.h"

namespace sdbench {

/// Makes the executor of a run. Also sets options.program to the chosen worker, because the records
/// name the worker's libtorch version.
using ExecutorFactory = std::function<std::unique_ptr<Executor>(WorkerOptions& options)>;

} // namespace sdbench
