#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// Returns a completion script for fish 3 or newer. It completes commands, options with their help,
/// and values from lists, also after a comma.
[[nodiscard]] std::string fish_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
