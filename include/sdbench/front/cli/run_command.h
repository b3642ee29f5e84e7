#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/cli/streams.h"

namespace sdbench {

/// Makes the executor of a run. Sets options.program, whose libtorch version goes into the record.
using ExecutorFactory = std::function<std::unique_ptr<Executor>(WorkerOptions& options)>;

/// `sdbench run`. Returns the exit code; throws UsageError or Error if it stops before the first
/// record.
[[nodiscard]] int run_command(const std::vector<std::string>& arguments, const Streams& streams,
                              const ExecutorFactory& make_executor);

} // namespace sdbench
