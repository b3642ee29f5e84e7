#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace sdbench {

/// True if all values that both know are equal. An unknown value, Value(), fits every value.
template <typename Value>
bool fit(const std::vector<Value>& a, const std::vector<Value>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != Value() && b[i] != Value() && a[i] != b[i]) {
      return false;
    }
  }
  return true;
}

/// Makes each value unknown that differs from the other's.
template <typename Value>
void keep_shared(std::vector<Value>& values, const std::vector<Value>& others) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = values[i] == others[i] ? values[i] : Value();
  }
}

/// Fills each row's unknown values from those rows of `members` that it fits and that know the
/// value. If these disagree, the value stays unknown: neither order nor majority decides.
template <typename Value>
void fill_unknowns(std::vector<std::vector<Value>>& rows, const std::vector<std::size_t>& members) {
  using Values = std::vector<Value>;
  std::set<Values> known;
  for (const std::size_t row : members) {
    known.insert(rows[row]);
  }
  const auto filled = [&](const Values& row) {
    Values full = row;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::set<Value> said;
      for (const Values& other : known) {
        if (row[i] == Value() && other[i] != Value() && fit(row, other)) {
          said.insert(other[i]);
        }
      }
      full[i] = said.size() == 1 ? *said.begin() : row[i];
    }
    return full;
  };
  std::map<Values, Values> full;
  for (const Values& row : known) {
    full.emplace(row, filled(row));
  }
  for (const std::size_t row : members) {
    rows[row] = full.at(rows[row]);
  }
}

} // namespace sdbench
