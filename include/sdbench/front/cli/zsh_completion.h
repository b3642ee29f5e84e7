#pragma once

#include <span>
#include <string>

#include "sdbench/front/cli/described_commands.h"

namespace sdbench {

/// What completes sdbench's command line in zsh 5 or newer, as a file _sdbench in one of its fpath:
/// commands, options with their help, and the values of those that have a list, also behind a
/// comma.
[[nodiscard]] std::string zsh_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
