#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench report FILES… -o report.html`: one page with the results of all files. Returns the exit
/// code; throws UsageError (bad facts, too) and Error (no record in any file, a page that cannot be
/// written).
[[nodiscard]] int report_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
