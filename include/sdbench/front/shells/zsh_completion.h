#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// Returns a completion script for zsh 5 or newer, to be saved as _sdbench in a folder of fpath. It
/// completes commands, options with their help, and values from lists, also after a comma.
[[nodiscard]] std::string zsh_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
