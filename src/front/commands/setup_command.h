#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench setup engine NAME...`: installs what engines of others need. Returns the exit code.
[[nodiscard]] int setup_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
