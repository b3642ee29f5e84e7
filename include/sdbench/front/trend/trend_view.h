#pragma once

#include <string_view>

#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/cell_trend.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

inline constexpr std::string_view kCellsTitle = "Cells as they stand";

/// Makes two tables: one of the present state of all cells, and one of their changes.
[[nodiscard]] View trend_view(const Trends& trends, const ResultTable& table);

} // namespace sdbench
