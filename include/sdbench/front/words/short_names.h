#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

// Names of rows where there is little room. Names that differ still differ when they are short.

/// Without the words of who made the card and the engine: "RTX 4090, tuned" of "NVIDIA GeForce RTX
/// 4090, sdbench tuned".
[[nodiscard]] std::vector<std::string> names_without_makers(const std::vector<std::string>& names);

/// Each name in at most `columns` of a terminal: `dots` stand for a part in its middle, the end of
/// the card's own name where that is enough. None where two would be one text.
[[nodiscard]] std::optional<std::vector<std::string>>
names_cut_to(const std::vector<std::string>& names, std::size_t columns, std::string_view dots);

} // namespace sdbench
