#pragma once

#include <string>
#include <vector>

#include "sdbench/front/bench/executor_factory.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench list SUBJECT`: prints what comes with sdbench (models, presets) or what is in this
/// machine (devices), as a table or as JSON. Returns the exit code; throws UsageError.
[[nodiscard]] int list_command(const std::vector<std::string>& arguments, const Streams& streams,
                               const ExecutorFactory& make_executor);

} // namespace sdbench
