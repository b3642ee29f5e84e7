#include "sdbench/base/device/environment_settings.h"

#include <cstdlib>

namespace sdbench {

std::string settings_of(std::span<const char* const> names) {
  std::string settings;
  for (const char* const name : names) {
    if (const char* const value = std::getenv(name); value != nullptr && *value != '\0') {
      settings.append(settings.empty() ? "" : " ").append(name).append("=").append(value);
    }
  }
  return settings;
}

std::string settings_of(std::initializer_list<const char*> names) {
  return settings_of(std::span(names.begin(), names.size()));
}

} // namespace sdbench
