#include "sdbench/compare/distinct_names.h"

#include <unordered_map>

namespace sdbench {
namespace {

/// Adds word(i) to the names of those that share theirs and differ in it.
template <typename Word>
void tell_apart(std::vector<std::string>& names, const Word& word) {
  std::unordered_map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < names.size(); ++i) {
    groups[names[i]].push_back(i);
  }
  for (const auto& [name, members] : groups) {
    bool differ = false;
    for (const std::size_t member : members) {
      differ = differ || word(member) != word(members.front());
    }
    for (const std::size_t member : differ ? members : std::vector<std::size_t>()) {
      const std::string& text = word(member);
      const bool is_place = text.starts_with("on "); // "RTX 3060 on desk, fp16"
      names[member] += (names[member].empty() || text.empty() ? "" : is_place ? " " : ", ") + text;
    }
  }
}

} // namespace

std::vector<std::string> distinct_names(std::span<const Nameable> items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Nameable& item : items) {
    names.push_back(item.base);
  }
  for (std::size_t place = 0; !items.empty() && place < items.front().words.size(); ++place) {
    tell_apart(names, [&](std::size_t i) -> const std::string& { return items[i].words[place]; });
  }
  tell_apart(names, [&](std::size_t i) -> const std::string& { return items[i].id; });
  return names;
}

} // namespace sdbench
