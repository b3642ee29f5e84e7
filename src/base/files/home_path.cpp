#include "sdbench/base/files/home_path.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sdbench {
namespace {

constexpr std::string_view kNameBytes =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// Stores the name after a dollar sign at the start of `text` in `name`; returns the bytes that the
/// whole takes, or 0 if there is no name.
std::size_t variable_at(std::string_view text, std::string& name) {
  if (text.starts_with("${")) {
    const std::size_t end = text.find('}');
    name = end == std::string_view::npos ? "" : text.substr(2, end - 2);
    return end == std::string_view::npos ? 0 : end + 1;
  }
  const std::size_t end = text.find_first_not_of(kNameBytes, 1);
  name = text.substr(1, end == std::string_view::npos ? end : end - 1);
  return name.empty() ? 0 : name.size() + 1;
}

} // namespace

std::string with_home(const std::string& path) {
  const char* home = std::getenv("HOME");
  const bool is_ours = path == "~" || path.starts_with("~/");
  return is_ours && home != nullptr ? home + path.substr(1) : path;
}

bool is_path_value(std::string_view value_name) {
  constexpr std::array<std::string_view, 4> kPaths{"FILE", "PATH", "DIR", "FOLDER"};
  return std::ranges::any_of(kPaths, [&](std::string_view word) {
    return value_name.starts_with(word) ||
           value_name.find("|" + std::string(word)) != std::string_view::npos;
  });
}

std::string expanded_path(const std::string& path) {
  const std::string whole = with_home(path);
  std::string result;
  for (std::string_view rest = whole; !rest.empty();) {
    std::string name;
    const std::size_t length = rest.front() == '$' ? variable_at(rest, name) : 0;
    const char* value = length > 0 ? std::getenv(name.c_str()) : nullptr;
    const std::size_t used = value == nullptr ? 1 : length;
    result += value == nullptr ? rest.substr(0, 1) : std::string_view(value);
    rest.remove_prefix(used);
  }
  return result;
}

} // namespace sdbench
