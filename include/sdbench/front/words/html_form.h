#pragma once

#include <string>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A self-contained HTML page without scripts.
[[nodiscard]] std::string to_html(const View& view);

} // namespace sdbench
