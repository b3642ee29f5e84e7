#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// A completion script for bash 4 or newer, without dependencies. Completes commands, options and
/// listed values, also after a comma.
[[nodiscard]] std::string bash_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
