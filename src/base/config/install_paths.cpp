#include "sdbench/base/config/install_paths.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "sdbench/base/errors/error.h"

namespace sdbench {

std::filesystem::path executable_path() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

namespace {

/// bin/sdbench, libexec/sdbench/VERSION/sdbench-worker and the build tree's test programs all lie
/// below the tree's root. The root is the nearest ancestor that has `relative`.
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
  const char* const named = std::getenv("SDBENCH_SHARE");
  const bool is_named = named != nullptr && *named != '\0';
  std::filesystem::path folder = is_named ? named : find_above("share/sdbench");
  std::error_code unreadable;
  if (!std::filesystem::is_directory(folder, unreadable)) {
    throw Error("the data of sdbench must be in " + folder.string() + ", but are not there; " +
                (is_named ? "SDBENCH_SHARE must name the folder share/sdbench of its tree"
                          : "start the program in its own tree (or by a link to it), or name that "
                            "tree's share/sdbench with SDBENCH_SHARE"));
  }
  return folder;
}

std::vector<std::string> shipped_names(const char* folder) {
  std::error_code missing; // a missing folder means no names
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(share_folder() / folder, missing)) {
    if (entry.path().extension() == ".json") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

std::filesystem::path libexec_folder() {
  return find_above("libexec/sdbench");
}

} // namespace sdbench
