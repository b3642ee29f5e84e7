#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace sdbench {

/// Each row's unknowns (empty values: Value()) become those of the fullest, then commonest, of
/// `members` that it fits: what is unknown fits every value.
template <typename Value>
void fill_unknowns(std::vector<std::vector<Value>>& rows, const std::vector<std::size_t>& members) {
  using Values = std::vector<Value>;
  std::map<Values, std::size_t> counts;
  for (const std::size_t row : members) {
    ++counts[rows[row]];
  }
  const auto fits = [](const Values& row, const Values& other) {
    return std::ranges::equal(row, other, [](const Value& ours, const Value& theirs) {
      return ours == Value() || ours == theirs;
    });
  };
  const auto known = [](const Values& of) {
    return of.size() - static_cast<std::size_t>(std::ranges::count(of, Value()));
  };
  std::map<Values, const Values*> filled;
  for (const auto& [values, count] : counts) {
    const Values* best = &values;
    for (const auto& [other, others] : counts) {
      const bool is_fuller = known(other) > known(*best) ||
                             (known(other) == known(*best) && others > counts.at(*best));
      if (fits(values, other) && known(other) > known(values) && (best == &values || is_fuller)) {
        best = &other;
      }
    }
    filled[values] = best;
  }
  for (const std::size_t row : members) {
    rows[row] = *filled.at(rows[row]);
  }
}

} // namespace sdbench
