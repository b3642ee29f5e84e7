#include "sdbench/base/core/listed.h"

namespace sdbench {

std::string listed(const std::vector<std::string>& words, std::string_view before_last) {
  std::string text;
  for (std::size_t place = 0; place < words.size(); ++place) {
    const bool is_last = place + 1 == words.size();
    const bool has_word = is_last && !before_last.empty();
    text += place == 0 ? "" : has_word ? " " + std::string(before_last) + " " : ", ";
    text += words[place];
  }
  return text;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() || part.empty() ? "" : std::string(between)) + part;
  }
  return text;
}

} // namespace sdbench
