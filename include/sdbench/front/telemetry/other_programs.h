#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace sdbench {

/// CPU time that one process has used since its start.
struct ProcessTime {
  std::string name; ///< "python3"; the kernel truncates it to 15 bytes
  std::int64_t parent = 0;
  double seconds = 0; ///< used by the process itself
  /// Used by ended child processes for which this process has waited, including their `ended_s`.
  double ended_s = 0;
};

/// CPU times by process id.
using ProcessTimes = std::map<std::int64_t, ProcessTime>;

/// Reads the CPU times of all visible processes, which in a container are only the container's.
/// Takes about 15 us per process, so never call it within a timed run. `root` is "/" except in
/// tests.
[[nodiscard]] ProcessTimes read_process_times(const std::filesystem::path& root = "/");

/// Names the other programs that used the most CPU time between two readings: "cc1plus 184 %, ninja
/// 7 %", where 100 % is one core.
/// - Names at most three programs, and none below 5 %.
/// - Processes with the same name are added up.
/// - `self` and its descendants are left out.
/// - A process that ended between the readings counts under its name in the first reading. If it
///   also started between them, it counts as "programs of bash", where bash is its parent.
/// `seconds` is the time between the readings. Empty if no program is to be named.
[[nodiscard]] std::string heaviest_programs(const ProcessTimes& before, const ProcessTimes& after,
                                            double seconds, std::int64_t self);

} // namespace sdbench
