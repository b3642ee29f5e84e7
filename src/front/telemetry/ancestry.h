#pragma once

#include <cstdint>

namespace sdbench {

/// The nearest process that `is_wanted`, from `id` upwards; 0 if no process is. `parent_of` returns
/// 0 for a process without a parent.
template <typename ParentOf, typename IsWanted>
[[nodiscard]] std::int64_t first_upwards(std::int64_t id, const ParentOf& parent_of,
                                         const IsWanted& is_wanted) {
  constexpr int kMostAncestors = 64; // bounds the loop: processes may die meanwhile
  for (int i = 0; i < kMostAncestors && id > 0; ++i) {
    if (is_wanted(id)) {
      return id;
    }
    id = parent_of(id);
  }
  return 0;
}

} // namespace sdbench
