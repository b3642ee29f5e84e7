#include "kept_folder.h"

#include "sdbench/base/core/cache_folder.h"
#include "sdbench/base/core/error.h"

namespace sdbench {

std::filesystem::path kept_folder(std::string_view name) {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) {
    throw Error("HOME or XDG_CACHE_HOME must name a folder for what is kept, but neither does");
  }
  return folder / name;
}

} // namespace sdbench
