#include "sdbench/engine/nn/loaded_weights.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "sdbench/base/text/in_quotes.h"

namespace sdbench {
namespace {

/// Groups shown for a component. Nobody reads longer lists.
constexpr std::size_t kGroupsShown = 4;

using Groups = std::map<std::string, std::size_t>;

/// Groups names by their prefix up to and including the first of the characters `ends`. A name
/// without any of these is its own group.
Groups grouped(const std::vector<std::string>& names, const char* ends) {
  Groups groups;
  for (const std::string& name : names) {
    const std::size_t end = name.find_first_of(ends);
    ++groups[end == std::string::npos ? name : name.substr(0, end + 1)];
  }
  return groups;
}

/// A LoRA's names differ before their first dot: "lora_unet_down_blocks_0_….".
Groups groups_of(const std::vector<std::string>& names) {
  Groups groups = grouped(names, ".");
  return groups.size() > kGroupsShown ? grouped(names, "._") : groups;
}

void add_groups(std::string& text, const std::vector<std::string>& names, const std::string& of,
                std::size_t most) {
  const Groups groups = groups_of(names);
  std::size_t shown = 0;
  std::size_t left = names.size();
  for (const auto& [prefix, count] : groups) {
    if (shown++ == most) {
      text +=
          " and " + std::to_string(groups.size() - most) + " more (" + std::to_string(left) + ")";
      break;
    }
    text += (text.empty() ? "" : ", ") + in_quotes(prefix) + " (" + std::to_string(count) + ")";
    left -= count;
  }
  if (!names.empty()) {
    text += of;
  }
}

std::string text_of_groups(const LoadedWeights& weights, std::size_t most) {
  std::string text;
  add_groups(text, weights.outside, "", most);
  for (const auto& [component, names] : weights.ignored) {
    add_groups(text, names, " of " + component, most);
  }
  return text;
}

} // namespace

std::string dtypes_text(const LoadedWeights& weights) {
  std::map<Dtype, std::uint64_t> all;
  for (const auto& [component, bytes] : weights.bytes) {
    for (const auto& [dtype, count] : bytes) {
      all[dtype] += count;
    }
  }
  std::vector<std::pair<Dtype, std::uint64_t>> most_first(all.begin(), all.end());
  std::ranges::stable_sort(most_first, std::greater<>(), &std::pair<Dtype, std::uint64_t>::second);
  std::string text;
  for (const auto& [dtype, count] : most_first) {
    text.append(text.empty() ? "" : "+").append(name_of(dtype));
  }
  return text;
}

std::string ignored_text(const LoadedWeights& weights) {
  return text_of_groups(weights, std::string::npos);
}

std::string ignored_note(const LoadedWeights& weights) {
  return text_of_groups(weights, kGroupsShown);
}

} // namespace sdbench
