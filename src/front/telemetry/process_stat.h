#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sdbench {

/// Contents of /proc/ID/stat.
struct ProcessStat {
  std::string name; ///< "python3"; the kernel cuts it at 15 bytes
  std::int64_t parent = 0;
  double ticks = 0;          ///< CPU time, in the kernel's ticks
  double ticks_of_ended = 0; ///< CPU time of children that ended and that it has waited for
};

/// Reads /proc/ID/stat; nothing if the process has ended. `id` is a number or "self".
[[nodiscard]] std::optional<ProcessStat> process_stat_of(const std::string& id,
                                                         const std::filesystem::path& root);

} // namespace sdbench
