#pragma once

#include <optional>

#include "sdbench/front/compare/card_grid.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// All figures in one table. Has a row for each card; with a single card, or if the user chose rows
/// or columns, a row for each line. Returns nothing if one column holds everything.
[[nodiscard]] std::optional<ViewTable> overview(const Comparison& comparison,
                                                const ResultTable& table, const CardGrid& grid);

} // namespace sdbench
