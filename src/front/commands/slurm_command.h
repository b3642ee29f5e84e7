#pragma once

#include <string>
#include <vector>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench slurm submit`: runs the same sweep on nodes of a cluster. Returns the exit code; throws
/// UsageError or Error.
[[nodiscard]] int slurm_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
