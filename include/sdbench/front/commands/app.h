#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Runs the whole program. `arguments`: without the program's name. Returns the exit code (see
/// exit_code.h): 0 for success, 1 if a file, a device or the machine caused an error, 2 if the
/// command line is wrong, 130 if interrupted (143 by SIGTERM, 129 by SIGHUP). Commands may return
/// further codes. Never throws.
[[nodiscard]] int run(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
