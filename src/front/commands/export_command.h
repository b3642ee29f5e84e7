#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench export-weights`: writes synthetic weights as a diffusers folder. Returns the exit code;
/// throws UsageError or Error.
[[nodiscard]] int export_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
