#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench trend FILES`: shows each cell over dates. Returns the exit code. With --fail-if-slower
/// it is kExitMissed if a cell is slower or failed, else kExitUndecided if something could not be
/// decided. Throws UsageError and Error.
[[nodiscard]] int trend_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
