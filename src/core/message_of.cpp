#include "sdbench/core/message_of.h"

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

} // namespace sdbench
