#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench trend FILES`: each cell over dates. Returns the exit code: with --fail-if-slower
/// kExitMissed where a cell is slower or failed, kExitUndecided where none is, but something is not
/// decided. Throws UsageError and Error.
[[nodiscard]] int trend_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
