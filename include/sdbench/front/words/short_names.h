#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

// Shortened names of rows. Different names stay different.

/// Names without the makers of card and engine: "RTX 4090, tuned" for "NVIDIA GeForce RTX 4090,
/// sdbench tuned".
[[nodiscard]] std::vector<std::string> names_without_makers(const std::vector<std::string>& names);

/// Each name in at most `columns` of a terminal: `dots` replace a middle part, preferably the end
/// of the card's own name. Nothing if two names would become equal.
[[nodiscard]] std::optional<std::vector<std::string>>
names_cut_to(const std::vector<std::string>& names, std::size_t columns, std::string_view dots);

} // namespace sdbench
