#include "proc_stat.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace sdbench {
namespace {

/// The columns are user nice system idle iowait irq softirq steal. The columns after these are
/// included in the first two.
CpuTime cpu_time_of(std::string_view columns) {
  constexpr int kIdle = 3;
  constexpr int kIoWait = 4;
  constexpr int kSteal = 7;
  CpuTime time;
  for (int column = 0; column <= kSteal; ++column) {
    const double ticks = take_number(columns).value_or(0);
    time.total += ticks;
    time.busy += column == kIdle || column == kIoWait ? 0 : ticks;
    time.steal += column == kSteal ? ticks : 0;
  }
  return time;
}

} // namespace

std::optional<double> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

CpuTimes cpu_times_from(std::string_view stat) {
  constexpr std::string_view kKey = "cpu";
  CpuTimes times;
  while (stat.starts_with(kKey)) {
    const std::string_view line = stat.substr(0, stat.find('\n'));
    std::string_view columns = line.substr(kKey.size());
    if (columns.starts_with(' ')) {
      times.all = cpu_time_of(columns);
    } else if (const auto core = take_number(columns)) {
      times.cores.push_back({static_cast<int>(*core), cpu_time_of(columns)});
    }
    stat.remove_prefix(std::min(line.size() + 1, stat.size()));
  }
  return times;
}

} // namespace sdbench
