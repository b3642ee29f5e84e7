#include "sdbench/base/files/home_path.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sdbench {

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

} // namespace sdbench
