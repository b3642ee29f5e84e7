#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// Returns a completion script for bash 4 or newer, which needs no other package. It completes
/// commands, options, and values from lists, also after a comma.
[[nodiscard]] std::string bash_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
