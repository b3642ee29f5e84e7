#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// The name in `known` that the user most likely meant by `word`; empty if no name is similar.
[[nodiscard]] std::string likely_name(std::string_view word, std::span<const std::string> known);

/// Text for the end of an error message: "; did you mean NAME?". Empty if no known name is similar.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> known);

/// Edit distance of two texts in bytes: the number of insertions, deletions, replacements and swaps
/// of neighbours that change one into the other.
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

/// Sorts candidates by their similarity to `name`, the most similar first, for error messages.
/// Equally similar candidates keep their order.
[[nodiscard]] std::vector<std::string> nearest_first(std::string_view name,
                                                     std::vector<std::string> candidates);

} // namespace sdbench
