#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// Returns a completion script for bash 4 or newer. The script needs no other package. It completes
/// commands, options, and an option's possible values, also in a comma-separated list.
[[nodiscard]] std::string bash_completion(std::span<const DescribedCommand> commands);

/// Returns a completion script for fish 3 or newer. It completes commands, options with their help,
/// and an option's possible values, also in a comma-separated list.
[[nodiscard]] std::string fish_completion(std::span<const DescribedCommand> commands);

/// Returns a completion script for zsh 5 or newer. Save it as _sdbench in a folder listed in fpath.
/// It completes the same things as the script of fish_completion().
[[nodiscard]] std::string zsh_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
