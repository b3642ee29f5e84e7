#include "sdbench/base/text/listed.h"

#include <cstddef>

namespace sdbench {

std::string listed(const std::vector<std::string>& words, std::string_view before_last) {
  const std::string last =
      before_last.empty() ? ", " : std::string(" ").append(before_last).append(" ");
  std::string text;
  for (std::size_t place = 0; place < words.size(); ++place) {
    if (place > 0) {
      text += place + 1 == words.size() ? last : ", ";
    }
    text += words[place];
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() || part.empty() ? "" : std::string(between)) + part;
  }
  return text;
}

} // namespace sdbench
