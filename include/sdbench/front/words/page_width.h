#pragma once

#include <cstddef>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Fits the view to a page 830 pixels wide, which is the width of a comment on code hosts and in
/// forums. Widths are estimates for text of 16 pixels. Columns that do not fit are dropped in the
/// order of ViewColumn::drop and named below the table; tables with Narrow::kParts are split
/// instead. If a table is too wide, the makers of card and engine are removed from its names. Names
/// may take several lines.
[[nodiscard]] View fitted_to_page(View view);

/// True if the column has texts that are long enough to take several lines of about 20 characters.
[[nodiscard]] bool takes_lines(const ViewTable& table, std::size_t column);

} // namespace sdbench
