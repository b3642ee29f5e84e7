#include "sdbench/base/errors/nearest.h"

#include <algorithm>
#include <utility>

namespace sdbench {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // Three rows of the usual table are enough: this one, the one above, and for swaps the one above
  // that.
  std::vector<std::size_t> before(to.size() + 1);
  std::vector<std::size_t> above(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[to.size()];
}

std::vector<std::string> nearest_first(std::string_view name, std::vector<std::string> candidates) {
  // A user's text may be a whole wrong argument. Longer texts are not compared.
  constexpr std::size_t kMaxCompared = 256;
  const std::string_view start = name.substr(0, kMaxCompared);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const std::string& left, const std::string& right) {
                     return edit_distance(start, left) < edit_distance(start, right);
                   });
  return candidates;
}

} // namespace sdbench
