#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// "a, b or c"; "a, b, c" if the word before the last is empty.
[[nodiscard]] std::string listed(const std::vector<std::string>& words,
                                 std::string_view before_last = "or");

/// The parts of "a,b", including empty ones: one more than separators.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// "a, b": the parts that are not empty.
[[nodiscard]] std::string joined(const std::vector<std::string>& parts,
                                 std::string_view between = ", ");

/// Appends the texts of `more` that `all` lacks, in their order.
inline void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& each : more) {
    if (std::ranges::count(all, each) == 0) {
      all.push_back(each);
    }
  }
}

} // namespace sdbench
