#pragma once

#include <cstddef>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Fits the view to a page of 830 pixels, the width of a comment on code hosts and in forums. Drops
/// columns by ViewColumn::drop and names them below the table; splits tables of Narrow::kParts.
/// Widths are estimates for text of 16 pixels. Without room, names lose the maker's words; they may
/// take several lines.
[[nodiscard]] View fitted_to_page(View view);

/// True if texts of the column are long enough to take several lines of about 20 characters.
[[nodiscard]] bool takes_lines(const ViewTable& table, std::size_t column);

} // namespace sdbench
