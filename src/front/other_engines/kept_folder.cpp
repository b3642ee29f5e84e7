#include "kept_folder.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/cache_folder.h"

namespace sdbench {

std::filesystem::path kept_folder(std::string_view name) {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) {
    throw Error("HOME or XDG_CACHE_HOME must name a folder for what is kept, but neither does");
  }
  return folder / name;
}

Descriptor open_lock(const std::filesystem::path& entry) {
  const std::string file = entry.string() + ".lock";
  Descriptor descriptor(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!descriptor.ok()) {
    throw Error("cannot write " + file + ": " + std::strerror(errno));
  }
  return descriptor;
}

} // namespace sdbench
