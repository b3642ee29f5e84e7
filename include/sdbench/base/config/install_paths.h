#pragma once

#include <filesystem>

namespace sdbench {

/// The installed tree (bin/, libexec/sdbench/, share/sdbench/) that this program stands in. The
/// build tree has the same form, so nothing else knows which of the two runs. SDBENCH_SHARE
/// overrides the share folder. Throws Error where a program was copied away from its tree.
[[nodiscard]] std::filesystem::path executable_path();
[[nodiscard]] std::filesystem::path share_folder();
/// libexec/sdbench of the same tree: one folder per libtorch version, each with a sdbench-worker.
[[nodiscard]] std::filesystem::path libexec_folder();

} // namespace sdbench
