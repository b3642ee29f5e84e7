#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// The known name that `word` was most likely meant to be; empty if none is near.
[[nodiscard]] std::string likely_name(std::string_view word, std::span<const std::string> known);

/// "; did you mean NAME?" or, with nothing near, an empty string: the end of an error message.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> known);

/// Insertions, deletions, replacements and swaps of neighbours that lead from one text to the
/// other, counted in bytes.
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidates, those most like `name` first (for "did you mean"); the order of equals is kept.
[[nodiscard]] std::vector<std::string> nearest_first(std::string_view name,
                                                     std::vector<std::string> candidates);

} // namespace sdbench
