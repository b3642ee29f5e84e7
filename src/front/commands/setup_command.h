#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench setup engine NAME...`: installs what other projects' engines need. Returns the exit
/// code.
[[nodiscard]] int setup_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
