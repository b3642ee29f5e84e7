#pragma once

#include <span>
#include <string>

#include "sdbench/front/cli/described_commands.h"

namespace sdbench {

/// What completes sdbench's command line in bash 4 or newer, which nothing else needs: commands,
/// options, and the values of those that have a list, also behind a comma.
[[nodiscard]] std::string bash_completion(std::span<const DescribedCommand> commands);

} // namespace sdbench
