#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace sdbench {

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

} // namespace sdbench
