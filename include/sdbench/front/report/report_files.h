#pragma once

#include <filesystem>
#include <vector>

namespace sdbench {

/// The files named on the command line of `sdbench report`, separated by kind.
struct ReportFiles {
  std::vector<std::filesystem::path> results;   ///< input of read_results(); may contain folders
  std::vector<std::filesystem::path> telemetry; ///< input of read_telemetry()
};

/// Separates telemetry files from result files. A folder goes into `results`, and the telemetry
/// files in it, sorted by name, into `telemetry`. Subfolders are ignored. Throws UsageError for a
/// missing path.
[[nodiscard]] ReportFiles tell_apart(const std::vector<std::filesystem::path>& paths);

} // namespace sdbench
