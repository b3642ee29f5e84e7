#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench merge FILES… -o FILE`: one file of several. Returns the exit code: kExitSomeFailed if
/// rows could not be read. Throws Error, and leaves the target as it was.
[[nodiscard]] int merge_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
