#pragma once

#include <span>
#include <string>
#include <vector>

namespace sdbench {

/// Something to be named among others.
struct Nameable {
  std::string base;
  std::vector<std::string> words; ///< what may tell it apart, the most telling first; "" says none
  std::string id;                 ///< the last resort
};

/// A name for each: its base, and of its words only those that differ among things which the words
/// before them do not tell apart. All items have the same number of words.
[[nodiscard]] std::vector<std::string> distinct_names(std::span<const Nameable> items);

} // namespace sdbench
