#pragma once

#include <filesystem>

namespace sdbench {

/// Paths in the installed tree (bin/, libexec/sdbench/, share/sdbench/) of this program. The build
/// tree has the same form, so no other code needs to distinguish them. SDBENCH_SHARE overrides the
/// share folder. Throws Error if the program was copied out of its tree.
[[nodiscard]] std::filesystem::path executable_path();
[[nodiscard]] std::filesystem::path share_folder();
/// libexec/sdbench of the same tree: one folder per libtorch version, each with a sdbench-worker.
[[nodiscard]] std::filesystem::path libexec_folder();

} // namespace sdbench
