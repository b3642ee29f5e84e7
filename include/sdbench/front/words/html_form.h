#pragma once

#include <string>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// One page that needs nothing else and runs nothing.
[[nodiscard]] std::string to_html(const View& view);

} // namespace sdbench
