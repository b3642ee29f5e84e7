#pragma once

#include <filesystem>

namespace sdbench {

/// Path of the running program.
[[nodiscard]] std::filesystem::path executable_path();
/// share/sdbench of the tree that this program was installed in (bin/, libexec/sdbench/,
/// share/sdbench/). The build tree has the same layout, so no other code needs to distinguish them.
/// The environment variable SDBENCH_SHARE overrides the path. Throws Error if the folder does not
/// exist, for example because the program was copied out of its tree.
[[nodiscard]] std::filesystem::path share_folder();
/// libexec/sdbench of the same tree. It has one folder for each libtorch version, and each folder
/// has a program sdbench-worker.
[[nodiscard]] std::filesystem::path libexec_folder();

} // namespace sdbench
