#pragma once

#include <span>
#include <string>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// sdbench.1: a manual page in roff, with a section for each command. It has no date, so that the
/// same sources make the same page.
[[nodiscard]] std::string manual_page(std::span<const DescribedCommand> commands);

} // namespace sdbench
