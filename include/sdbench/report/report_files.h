#pragma once

#include <filesystem>
#include <vector>

namespace sdbench {

/// FILES of `sdbench report`, told apart.
struct ReportFiles {
  std::vector<std::filesystem::path> results;   ///< for read_results()
  std::vector<std::filesystem::path> telemetry; ///< for read_telemetry()
};

/// A folder stands for the files in it (not in folders below), sorted by name, with an extension
/// that results have. Throws UsageError for a path that is not there.
[[nodiscard]] ReportFiles tell_apart(const std::vector<std::filesystem::path>& paths);

} // namespace sdbench
