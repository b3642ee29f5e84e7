#pragma once

#include <string>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A table of all lines and columns if there are several columns, then one for each column with all
/// its figures.
[[nodiscard]] View compare_view(const Comparison& comparison, const ResultTable& table);

/// "a", …, "z", "aa", …
[[nodiscard]] std::string mark_text(std::size_t place);

} // namespace sdbench
