#include "sdbench/core/suggestion.h"

#include <algorithm>

#include "sdbench/core/nearest.h"

namespace sdbench {

std::string likely_name(std::string_view word, std::span<const std::string> known) {
  // Names are short, and so are slips: nobody means "steps" with a kilobyte of text.
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) {
    return {};
  }
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& name : known) {
    const bool is_prefix = word.size() >= 3 && name.starts_with(word);
    const std::size_t distance = is_prefix ? 1 : edit_distance(word, name);
    if (distance < best_distance && distance < name.size()) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::string name = likely_name(word, known);
  return name.empty() ? std::string() : "; did you mean " + name + "?";
}

} // namespace sdbench
