#include "sdbench/config/install_paths.h"

#include <cstdlib>

namespace sdbench {

std::filesystem::path executable_path() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

namespace {

/// bin/sdbench, libexec/sdbench/VERSION/sdbench-worker and the build tree's test programs all stand
/// somewhere below the tree's root: the nearest ancestor that has `relative` is it.
std::filesystem::path find_above(const std::filesystem::path& relative) {
  std::filesystem::path folder = executable_path().parent_path();
  std::filesystem::path fallback = folder.parent_path() / relative;
  for (int depth = 0; depth < 5; ++depth, folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / relative)) {
      return folder / relative;
    }
  }
  return fallback;
}

} // namespace

std::filesystem::path share_folder() {
  if (const char* folder = std::getenv("SDBENCH_SHARE"); folder != nullptr && *folder != '\0') {
    return folder;
  }
  return find_above("share/sdbench");
}

std::filesystem::path libexec_folder() {
  return find_above("libexec/sdbench");
}

} // namespace sdbench
