#pragma once

#include <string>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

[[nodiscard]] std::string to_markdown(const View& view);

} // namespace sdbench
