#include "sdbench/base/device/environment_settings.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <dlfcn.h>

namespace sdbench {
namespace {

/// True if this process has loaded the library. The loader skips missing files and other
/// architectures.
bool is_loaded(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) {
    return false;
  }
  dlclose(handle);
  return true;
}

} // namespace

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

std::string preloaded_libraries(const std::filesystem::path& root) {
  const char* const variable = std::getenv("LD_PRELOAD");
  std::string text = variable == nullptr ? "" : variable;
  std::ifstream file(root / "etc/ld.so.preload");
  for (std::string line; std::getline(file, line);) {
    text += " " + line.substr(0, line.find('#'));
  }
  std::ranges::replace(text, ':', ' '); // both characters separate names
  std::istringstream paths(text);
  std::string names;
  for (std::string path; paths >> path;) {
    if (is_loaded(path)) {
      names += (names.empty() ? "" : " ") + std::filesystem::path(path).filename().string();
    }
  }
  return names;
}

} // namespace sdbench
