#pragma once

#include <string_view>
#include <vector>

namespace sdbench {

/// "2.11.0" → {2, 11, 0}; anything after the numbers ("+cu130") is left out.
[[nodiscard]] std::vector<int> version_numbers(std::string_view version);

} // namespace sdbench
