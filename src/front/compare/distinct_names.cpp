#include "sdbench/front/compare/distinct_names.h"

#include <map>
#include <string_view>
#include <utility>

namespace sdbench {
namespace {

using Group = std::vector<std::size_t>;

/// Splits a group of equal names by the text that `text_of` gives for each.
template <typename TextOf>
std::map<std::string_view, Group> parted(const Group& members, const TextOf& text_of) {
  std::map<std::string_view, Group> parts;
  for (const std::size_t member : members) {
    parts[text_of(member)].push_back(member);
  }
  return parts;
}

void add_word(std::string& name, std::string_view word) {
  const bool is_place = word.starts_with("on "); // "RTX 3060 on desk, fp16"
  if (!word.empty()) {
    name.append(name.empty() ? "" : is_place ? " " : ", ").append(word);
  }
}

} // namespace

std::vector<std::string> distinct_names(std::span<const Nameable> items) {
  std::vector<std::string> names;
  Group all;
  for (const Nameable& item : items) {
    all.push_back(names.size());
    names.push_back(item.base);
  }
  std::vector<Group> alike; // groups of two or more with equal names
  const auto keep_alike = [](std::vector<Group>& groups, Group members) {
    if (members.size() > 1) {
      groups.push_back(std::move(members));
    }
  };
  for (auto& [base, members] :
       parted(all, [&](std::size_t i) { return std::string_view(items[i].base); })) {
    keep_alike(alike, std::move(members));
  }
  for (std::size_t place = 0; !items.empty() && place < items.front().words.size(); ++place) {
    std::vector<Group> still;
    for (const Group& group : alike) {
      auto parts =
          parted(group, [&](std::size_t i) { return std::string_view(items[i].words[place]); });
      for (auto& [word, members] : parts) {
        for (const std::size_t member : parts.size() > 1 ? members : Group()) {
          add_word(names[member], word);
        }
        keep_alike(still, std::move(members));
      }
    }
    alike = std::move(still);
  }
  for (const Group& group : alike) {
    for (const std::size_t member : group) {
      add_word(names[member], items[member].id);
    }
  }
  return names;
}

} // namespace sdbench
