#pragma once

#include <string>
#include <vector>

namespace sdbench {

/// Rows of one length as lines of columns, each as wide as its widest text, two blanks between.
[[nodiscard]] std::string aligned_text(const std::vector<std::vector<std::string>>& rows);

} // namespace sdbench
