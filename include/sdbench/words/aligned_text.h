#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sdbench {

/// Rows of one length as lines of columns, each as wide as its widest text, two blanks between.
/// Where that is wider than `width` (0: no limit), a block of lines for each row but the first,
/// whose texts name the lines.
[[nodiscard]] std::string aligned_text(const std::vector<std::vector<std::string>>& rows,
                                       std::size_t width = 0);

} // namespace sdbench
