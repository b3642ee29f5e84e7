#pragma once

#include <span>
#include <string>

#include "sdbench/front/cli/described_commands.h"

namespace sdbench {

/// What completes sdbench's command line in fish 3 or newer: commands, options with their help, and
/// the values of those that have a list, also behind a comma.
[[nodiscard]] std::string fish_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
