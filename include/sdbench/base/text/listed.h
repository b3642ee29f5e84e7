#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Joins words to a list: "a, b or c". `before_last`: the word before the last item; if empty, a
/// comma is used: "a, b, c".
[[nodiscard]] std::string listed(const std::vector<std::string>& words,
                                 std::string_view before_last = "or");

/// Splits a text at every separator: "a,b" gives "a" and "b". Empty parts are kept, so there is
/// always one part more than separators.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// Joins the parts that are not empty, with `between` between them: "a, b".
[[nodiscard]] std::string joined(const std::vector<std::string>& parts,
                                 std::string_view between = ", ");

/// Appends those texts of `more` that `all` does not contain yet, in their order.
inline void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& each : more) {
    if (std::ranges::count(all, each) == 0) {
      all.push_back(each);
    }
  }
}

} // namespace sdbench
