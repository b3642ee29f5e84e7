#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench report FILES… -o report.html`: writes one page with the results of all files. Returns
/// the exit code. Throws UsageError (also for bad facts) and Error (no file has a record, or the
/// page cannot be written).
[[nodiscard]] int report_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
