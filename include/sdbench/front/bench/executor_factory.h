#pragma once

#include <functional>
#include <memory>

#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/worker_process.h"

namespace sdbench {

/// Makes the executor of a run. Sets options.program, whose libtorch version goes into the record.
using ExecutorFactory = std::function<std::unique_ptr<Executor>(WorkerOptions& options)>;

} // namespace sdbench
