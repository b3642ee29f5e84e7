#pragma once

#include <filesystem>
#include <vector>

namespace sdbench {

/// FILES of `sdbench report`, told apart.
struct ReportFiles {
  std::vector<std::filesystem::path> results;   ///< for read_results(); folders, too
  std::vector<std::filesystem::path> telemetry; ///< for read_telemetry()
};

/// A folder's files of telemetry (not of folders below) are sorted by name. Throws UsageError for a
/// path that is not there.
[[nodiscard]] ReportFiles tell_apart(const std::vector<std::filesystem::path>& paths);

} // namespace sdbench
