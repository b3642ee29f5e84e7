#include "sdbench/base/system/from_environment.h"

#include <algorithm>
#include <string_view>

#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

bool is_of_name(char letter) {
  return is_letter_or_digit(letter) || letter == '_' || letter == '-' || letter == '.';
}

/// True if `message` names `path`, or a path below it: "/data2" and "/my/data" do not name "/data".
bool names_path(std::string_view message, std::string_view path) {
  for (std::size_t at = message.find(path); at != std::string_view::npos && !path.empty();
       at = message.find(path, at + 1)) {
    const std::string_view behind = message.substr(at + path.size());
    const bool begins = at == 0 || (!is_of_name(message[at - 1]) && message[at - 1] != '/');
    const std::size_t end = std::min(behind.find_first_not_of('.'), behind.size());
    if (begins && (end == behind.size() || !is_of_name(behind[end]))) { // a full stop may follow
      return true;
    }
  }
  return false;
}

} // namespace

std::string with_variable(std::string message, const std::filesystem::path& path,
                          const std::string& variable) {
  if (!variable.empty() && names_path(message, path.string()) &&
      message.find(variable) == std::string::npos) {
    message += "; " + variable + " leads there";
  }
  return message;
}

} // namespace sdbench
