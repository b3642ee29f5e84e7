#include "sdbench/base/core/from_environment.h"

namespace sdbench {

std::string with_variable(std::string message, const std::filesystem::path& path,
                          const std::string& variable) {
  const auto has = [&](const std::string& word) { return message.find(word) != std::string::npos; };
  if (!variable.empty() && has(path.string()) && !has(variable)) {
    message += "; " + variable + " leads there";
  }
  return message;
}

} // namespace sdbench
