#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace sdbench {

/// Appends the texts of `more` that `all` lacks, in their order.
inline void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& each : more) {
    if (std::ranges::count(all, each) == 0) {
      all.push_back(each);
    }
  }
}

} // namespace sdbench
