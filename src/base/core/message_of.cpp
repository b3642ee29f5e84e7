#include "sdbench/base/core/message_of.h"

#include <filesystem>

namespace sdbench {

std::string message_of(const std::exception& error) {
  const auto* failure = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (failure == nullptr) {
    return error.what();
  }
  const std::string path = failure->path1().empty() ? "a path" : failure->path1().string();
  return "cannot use " + path + ": " + failure->code().message() + "; correct or remove it";
}

std::string first_line_of(const std::exception& error) {
  const std::string text = message_of(error);
  return text.substr(0, text.find('\n'));
}

} // namespace sdbench
