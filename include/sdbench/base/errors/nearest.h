#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Number of insertions, deletions, replacements and swaps of neighbours from one text to the
/// other, in bytes.
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidates, those most like `name` first (for "did you mean"); equals keep their order.
[[nodiscard]] std::vector<std::string> nearest_first(std::string_view name,
                                                     std::vector<std::string> candidates);

} // namespace sdbench
