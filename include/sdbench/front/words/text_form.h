#pragma once

#include <string>
#include <vector>

#include "sdbench/front/words/screen.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A view for a terminal: lines of its width, tables in columns.
[[nodiscard]] std::string to_text(const View& view, const Screen& screen);

/// The columns and rows of a table alone. Each column is as wide as its widest text, with two
/// blanks between; see Narrow for what is wider than the screen.
[[nodiscard]] std::string table_text(const ViewTable& table, const Screen& screen);

/// Texts in columns, the first row their heads, in no colour; where that is too wide, a block of
/// lines for each row.
[[nodiscard]] std::string aligned_text(const std::vector<std::vector<std::string>>& rows,
                                       const Screen& screen);

} // namespace sdbench
