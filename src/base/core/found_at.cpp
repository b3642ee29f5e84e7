#include "sdbench/base/core/found_at.h"

#include <sys/stat.h>

namespace sdbench {

bool is_found_at(const std::filesystem::path& path, const Descriptor& file) {
  struct stat opened {};
  struct stat found {};
  return ::fstat(file.get(), &opened) == 0 && ::stat(path.c_str(), &found) == 0 &&
         opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
}

} // namespace sdbench
