#pragma once

#include <span>
#include <string>
#include <vector>

namespace sdbench {

/// Something to be named among others.
struct Nameable {
  std::string base;
  std::vector<std::string> words; ///< words that may tell it apart, the best first; "": unknown
  std::string id;                 ///< the last resort
};

/// A name for each item: its base, and those words that differ among items which the earlier words
/// do not tell apart. All items have the same number of words.
[[nodiscard]] std::vector<std::string> distinct_names(std::span<const Nameable> items);

} // namespace sdbench
