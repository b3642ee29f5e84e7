#pragma once

#include <string_view>
#include <vector>

namespace sdbench {

/// The numbers in a version: "2.11.0" gives {2, 11, 0}. Text after the numbers ("+cu130") is
/// ignored.
[[nodiscard]] std::vector<int> version_numbers(std::string_view version);

} // namespace sdbench
