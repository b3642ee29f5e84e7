#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// A completion script for zsh 5 or newer, for a file _sdbench in a folder of fpath. Completes
/// commands, options with their help, and listed values, also after a comma.
[[nodiscard]] std::string zsh_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
