#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sdbench {

/// Contents of /proc/ID/stat.
struct ProcessStat {
  std::string name; ///< "python3"; the kernel cuts it at 15 bytes
  std::int64_t parent = 0;
  double ticks = 0;          ///< CPU time, in the kernel's ticks
  double ticks_of_ended = 0; ///< that of its children that ended and that it has waited for
};

/// Nothing if the process has ended. `id` is a number or "self".
[[nodiscard]] std::optional<ProcessStat> process_stat_of(const std::string& id,
                                                         const std::filesystem::path& root);

/// Ids of the processes that this process has started and has not yet waited for.
[[nodiscard]] std::vector<std::int64_t> child_processes(const std::filesystem::path& root);

} // namespace sdbench
