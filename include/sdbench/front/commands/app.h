#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Runs the whole program. `arguments`: without the program's name. Returns the exit code: 0
/// success, 1 a file, a device or the machine refused, 2 the command itself is wrong, 130
/// interrupted (143 by SIGTERM, 129 by SIGHUP). Never throws.
[[nodiscard]] int run(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
