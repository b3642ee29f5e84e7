#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// The known name that `word` most likely means; empty if none is similar.
[[nodiscard]] std::string likely_name(std::string_view word, std::span<const std::string> known);

/// End of an error message: "; did you mean NAME?", or empty if none is similar.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> known);

/// Number of insertions, deletions, replacements and swaps of neighbours from one text to the
/// other, in bytes.
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidates, those most like `name` first (for "did you mean"); equals keep their order.
[[nodiscard]] std::vector<std::string> nearest_first(std::string_view name,
                                                     std::vector<std::string> candidates);

} // namespace sdbench
