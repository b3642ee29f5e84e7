#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

// Shortens names of rows. Names that differ still differ after shortening.

/// Removes the makers of card and engine from names: "NVIDIA GeForce RTX 4090, sdbench tuned"
/// becomes "RTX 4090, tuned".
[[nodiscard]] std::vector<std::string> names_without_makers(const std::vector<std::string>& names);

/// Shortens each name to at most `columns` terminal columns. `dots` replace a part in the middle,
/// which is the end of the card's name if possible. nullopt if two names would become equal.
[[nodiscard]] std::optional<std::vector<std::string>>
names_cut_to(const std::vector<std::string>& names, std::size_t columns, std::string_view dots);

} // namespace sdbench
