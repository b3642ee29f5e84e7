#pragma once

#include <span>
#include <string>
#include <vector>

namespace sdbench {

/// An item that needs a name which differs from those of other items.
struct Nameable {
  std::string base;
  std::vector<std::string> words; ///< words that may tell it apart, the best first; "": unknown
  std::string id;                 ///< used if the words do not suffice
};

/// A distinct name for each item: its base, followed by some of its words. A word is added if it
/// differs between items that have the same name so far. All items must have the same number of
/// words.
[[nodiscard]] std::vector<std::string> distinct_names(std::span<const Nameable> items);

} // namespace sdbench
