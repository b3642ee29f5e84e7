#pragma once

#include <filesystem>
#include <vector>

namespace sdbench {

/// The FILES of `sdbench report`, by kind.
struct ReportFiles {
  std::vector<std::filesystem::path> results;   ///< for read_results(); folders, too
  std::vector<std::filesystem::path> telemetry; ///< for read_telemetry()
};

/// Sorts a folder's telemetry files by name; ignores subfolders. Throws UsageError for a missing
/// path.
[[nodiscard]] ReportFiles tell_apart(const std::vector<std::filesystem::path>& paths);

} // namespace sdbench
