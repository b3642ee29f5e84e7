#pragma once

#include <string>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Formats the view for Emacs' Org mode.
[[nodiscard]] std::string to_org(const View& view);

} // namespace sdbench
