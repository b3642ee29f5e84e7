#pragma once

#include <cstddef>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// The view for a page of 830 pixels, the width that code hosts and forums give a comment: columns
/// go by ViewColumn::drop and are named below the table, and a table of Narrow::kParts goes on in
/// further ones. Widths are estimates for text of 16 pixels. Names lose the words of a card's maker
/// where there is no room for them, and may take several lines.
[[nodiscard]] View fitted_to_page(View view);

/// Whether texts of the column are so long that they take several lines, of 20 characters or so.
[[nodiscard]] bool takes_lines(const ViewTable& table, std::size_t column);

} // namespace sdbench
