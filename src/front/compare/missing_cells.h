#pragma once

#include <optional>

#include "sdbench/front/compare/card_grid.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// The cells that one card lacks and another has, each with the command that fills it on the card's
/// machine. Nothing if no card lacks a cell.
[[nodiscard]] std::optional<ViewTable>
missing_table(const Comparison& comparison, const ResultTable& table, const CardGrid& grid);

} // namespace sdbench
