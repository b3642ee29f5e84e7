#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sdbench {

/// A row of a table of values and their names. If a table names a value twice, its first name
/// counts.
template <typename Value>
struct Named {
  Value value;
  std::string_view name;
};

/// The name of `value`; empty if no row has it.
template <typename Value, std::size_t count>
[[nodiscard]] constexpr std::string_view name_in(const Named<Value> (&table)[count], Value value) {
  for (const Named<Value>& row : table) {
    if (row.value == value) {
      return row.name;
    }
  }
  return {};
}

/// The value with that name; nullopt if no row has it.
template <typename Value, std::size_t count>
[[nodiscard]] constexpr std::optional<Value> value_named(const Named<Value> (&table)[count],
                                                         std::string_view name) {
  for (const Named<Value>& row : table) {
    if (row.name == name) {
      return row.value;
    }
  }
  return std::nullopt;
}

} // namespace sdbench
