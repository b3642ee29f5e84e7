#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// The whole content of a file of /proc or /sys; empty if it cannot be read. Throws nothing,
/// because the sampler must be quick and must not fail.
[[nodiscard]] std::string read_small_file(const std::filesystem::path& path);

/// The number at the start of such a file.
[[nodiscard]] std::optional<double> read_number_file(const std::filesystem::path& path);

/// A line of /proc/stat: CPU time since boot, in the kernel's ticks.
struct CpuTime {
  double busy = 0;  ///< not idle, including steal
  double steal = 0; ///< taken by a hypervisor for other machines
  double total = 0;
};

struct CoreTime {
  int core = 0; ///< the system's number; a core that is switched off has no line
  CpuTime time;
};

struct CpuTimes {
  std::optional<CpuTime> all;
  std::vector<CoreTime> cores;
};

/// Reads the lines "cpu …" of /proc/stat, which come first.
[[nodiscard]] CpuTimes cpu_times_from(std::string_view stat);

/// Takes the number at the front of `text`, after blanks.
[[nodiscard]] std::optional<double> take_number(std::string_view& text);

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

/// Ids of the processes that this process has started and has not yet waited for.
[[nodiscard]] std::vector<std::int64_t> child_processes(const std::filesystem::path& root);

/// The nearest process that `is_wanted`, from `id` upwards; 0 if no process is. `parent_of` returns
/// 0 for a process without a parent.
template <typename ParentOf, typename IsWanted>
[[nodiscard]] std::int64_t first_upwards(std::int64_t id, const ParentOf& parent_of,
                                         const IsWanted& is_wanted) {
  constexpr int kMostAncestors = 64; // bounds the loop: processes may die meanwhile
  for (int i = 0; i < kMostAncestors && id > 0; ++i) {
    if (is_wanted(id)) {
      return id;
    }
    id = parent_of(id);
  }
  return 0;
}

} // namespace sdbench
