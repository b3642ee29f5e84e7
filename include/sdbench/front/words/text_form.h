#pragma once

#include <string>
#include <vector>

#include "sdbench/front/words/screen.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Formats a view for a terminal: lines wrapped to its width, and tables in aligned columns.
[[nodiscard]] std::string to_text(const View& view, const Screen& screen);

/// Formats only the columns and rows of a table, without title, remarks and legends. Each column is
/// as wide as its widest text, with two blanks between columns. ViewTable::narrow decides what
/// happens if the table is wider than the screen.
[[nodiscard]] std::string table_text(const ViewTable& table, const Screen& screen);

/// Formats texts in aligned columns without colour; the first row holds the heads. If the result
/// would be wider than the screen, each row becomes a block of lines.
[[nodiscard]] std::string aligned_text(const std::vector<std::vector<std::string>>& rows,
                                       const Screen& screen);

} // namespace sdbench
