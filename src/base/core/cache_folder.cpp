#include "sdbench/base/core/cache_folder.h"

#include <cstdlib>
#include <utility>

namespace sdbench {

std::filesystem::path cache_folder() {
  for (const auto& [name, below] :
       {std::pair("XDG_CACHE_HOME", "sdbench"), {"HOME", ".cache/sdbench"}}) {
    const char* const value = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
    if (value != nullptr && *value == '/') {
      return std::filesystem::path(value) / below;
    }
  }
  return {};
}

} // namespace sdbench
