#pragma once

#include <string>
#include <vector>

#include "sdbench/front/bench/executor_factory.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench reproduce`. Returns the exit code; throws UsageError or Error if it stops before there
/// is a record.
[[nodiscard]] int reproduce_command(const std::vector<std::string>& arguments,
                                    const Streams& streams, const ExecutorFactory& make_executor);

} // namespace sdbench
