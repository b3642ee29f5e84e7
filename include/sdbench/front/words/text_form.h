#pragma once

#include <string>
#include <vector>

#include "sdbench/front/words/screen.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A view for a terminal: lines of its width, tables in columns.
[[nodiscard]] std::string to_text(const View& view, const Screen& screen);

/// Only the columns and rows of a table. Each column is as wide as its widest text, with two blanks
/// between columns; see Narrow for tables that are wider than the screen.
[[nodiscard]] std::string table_text(const ViewTable& table, const Screen& screen);

/// Texts in columns without colour; the first row holds the heads. If that is too wide, each row
/// becomes a block of lines.
[[nodiscard]] std::string aligned_text(const std::vector<std::vector<std::string>>& rows,
                                       const Screen& screen);

} // namespace sdbench
