#include "cache_folder.h"

#include <cstdlib>
#include <utility>

#include "sdbench/base/core/error.h"

namespace sdbench {

std::filesystem::path cache_folder() {
  for (const auto& [variable, below] :
       {std::pair("XDG_CACHE_HOME", "sdbench"), {"HOME", ".cache/sdbench"}}) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value == '/') { // an empty or relative one is to be taken for none
      return std::filesystem::path(value) / below;
    }
  }
  throw Error("HOME or XDG_CACHE_HOME must name a folder for what is kept, but neither does");
}

} // namespace sdbench
