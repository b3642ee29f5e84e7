#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// A completion script for fish 3 or newer. Completes commands, options with their help, and listed
/// values, also after a comma.
[[nodiscard]] std::string fish_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
