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

/// By process id.
using ProcessTimes = std::map<std::int64_t, ProcessTime>;

/// Of all processes that can be seen from here: in a container those of the container. Takes some
/// 15 us a process: never within a timed run. `root` is "/" but in tests.
[[nodiscard]] ProcessTimes read_process_times(const std::filesystem::path& root = "/");

/// The other programs that had the most CPU time between two looks, at most three: "cc1plus 184 %,
/// ninja 7 %", where 100 % is one core. Processes of one name count together; below 5 % none is
/// named. What ended meanwhile has the name that it had at the first look, or is told as
/// "programs of bash", whose child it was. `self`: the process that does not count, nor what it
/// started.
[[nodiscard]] std::string heaviest_programs(const ProcessTimes& before, const ProcessTimes& after,
                                            double seconds, std::int64_t self);

} // namespace sdbench
