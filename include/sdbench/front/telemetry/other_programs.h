#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace sdbench {

/// CPU time of one process so far.
struct ProcessTime {
  std::string name; ///< "python3"; the kernel cuts it at 15 bytes
  std::int64_t parent = 0;
  double seconds = 0; ///< its own
  double ended_s = 0; ///< that of its children that it has waited for, and of theirs
};

/// CPU times by process id.
using ProcessTimes = std::map<std::int64_t, ProcessTime>;

/// Reads all visible processes; in a container, those of the container. Takes about 15 us a
/// process, so never call it within a timed run. `root` is "/" except in tests.
[[nodiscard]] ProcessTimes read_process_times(const std::filesystem::path& root = "/");

/// The other programs that had the most CPU time between two looks, at most three: "cc1plus 184 %,
/// ninja 7 %", where 100 % is one core. Processes of one name count together. Programs below 5 %
/// are left out. A process that ended meanwhile keeps its name from the first look; if it started
/// after that, it counts as "programs of bash", its parent. `self` and its descendants do not
/// count.
[[nodiscard]] std::string heaviest_programs(const ProcessTimes& before, const ProcessTimes& after,
                                            double seconds, std::int64_t self);

} // namespace sdbench
