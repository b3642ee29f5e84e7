#pragma once

#include <optional>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// All figures in one table: of several cards a row for each (see card_grid()), of one card a row
/// for each line. None where one column has it all.
[[nodiscard]] std::optional<ViewTable> overview(const Comparison& comparison,
                                                const ResultTable& table);

} // namespace sdbench
