#pragma once

#include <optional>

#include "sdbench/front/compare/card_grid.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// All figures in one table: of several cards a row for each, of one card, and where the user said
/// what rows or columns are, a row for each line. None where one column has it all.
[[nodiscard]] std::optional<ViewTable> overview(const Comparison& comparison,
                                                const ResultTable& table, const CardGrid& grid);

} // namespace sdbench
