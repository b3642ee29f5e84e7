#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench merge FILES… -o FILE`: joins several files into one. Returns the exit code,
/// kExitSomeFailed if rows could not be read. If it throws Error, the target is unchanged.
[[nodiscard]] int merge_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
