#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// Returns the manual page sdbench.1 in roff, with a section for each command. It contains no date,
/// so the same sources always give the same page.
[[nodiscard]] std::string manual_page(std::span<const DescribedCommand> commands);

} // namespace sdbench
