#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench cache list` and `sdbench cache clear`. Returns the exit code. Throws UsageError or
/// Error.
int cache_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
