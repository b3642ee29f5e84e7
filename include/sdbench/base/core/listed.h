#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// "a, b or c"; with an empty word before the last "a, b, c".
[[nodiscard]] std::string listed(const std::vector<std::string>& words,
                                 std::string_view before_last = "or");

/// "a, b": the parts that are not empty.
[[nodiscard]] std::string joined(const std::vector<std::string>& parts,
                                 std::string_view between = ", ");

} // namespace sdbench
