#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// Returns a completion script for bash 4 or newer, which needs no other package. It completes
/// commands, options, and the choices of options, including each choice in a comma-separated list.
[[nodiscard]] std::string bash_completion(std::span<const DescribedCommand> commands);

/// Returns a completion script for fish 3 or newer. It completes commands, options with their help,
/// and the choices of options, including each choice in a comma-separated list.
[[nodiscard]] std::string fish_completion(std::span<const DescribedCommand> commands);

/// Returns a completion script for zsh 5 or newer, to be saved as _sdbench in a folder of fpath. It
/// completes commands, options with their help, and choices, as fish_completion() does.
[[nodiscard]] std::string zsh_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
