#pragma once

#include <string>
#include <vector>

#include "sdbench/front/bench/executor_factory.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench compare FILES`: shows measurements of several machines side by side. Returns the exit
/// code, kExitMissed if --fail-if-slower finds something. Throws UsageError and Error. Only
/// --confirm makes an executor.
[[nodiscard]] int compare_command(const std::vector<std::string>& arguments, const Streams& streams,
                                  const ExecutorFactory& make_executor);

} // namespace sdbench
