#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// Path of the running program.
[[nodiscard]] std::filesystem::path executable_path();
/// The folder share/sdbench of the tree that this program was installed in (bin/, libexec/sdbench/,
/// share/sdbench/). The build tree has the same layout, so no other code needs to know which of the
/// two trees it runs in. The environment variable SDBENCH_SHARE overrides this path. Throws Error
/// if the folder does not exist, for example because the program was copied out of its tree.
[[nodiscard]] std::filesystem::path share_folder();
/// Names of the .json files in a folder of share/sdbench, without their ending, sorted.
[[nodiscard]] std::vector<std::string> shipped_names(const char* folder);

/// The folder libexec/sdbench of the tree that this program was installed in. It has one folder for
/// each libtorch version, each with a program sdbench-worker.
[[nodiscard]] std::filesystem::path libexec_folder();

} // namespace sdbench
