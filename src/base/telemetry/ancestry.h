#pragma once

#include <cstdint>

namespace sdbench {

/// The first process that `is_wanted`, from `id` upwards; 0 if none is. `parent_of` gives 0 where
/// there is no parent.
template <typename ParentOf, typename IsWanted>
[[nodiscard]] std::int64_t first_upwards(std::int64_t id, const ParentOf& parent_of,
                                         const IsWanted& is_wanted) {
  constexpr int kMostAncestors = 64; // processes may die while we climb: never for ever
  for (int i = 0; i < kMostAncestors && id > 0; ++i) {
    if (is_wanted(id)) {
      return id;
    }
    id = parent_of(id);
  }
  return 0;
}

} // namespace sdbench
