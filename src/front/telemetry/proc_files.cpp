#include "proc_files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "sdbench/base/files/descriptor.h"
#include "sdbench/front/machine/folder_entries.h"

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

std::string read_small_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char bytes[4096];
  for (ssize_t count = 1; file.ok() && count != 0;) {
    count = ::read(file.get(), bytes, sizeof bytes);
    if (count < 0 && errno != EINTR) {
      return {};
    }
    text.append(bytes, static_cast<std::size_t>(count > 0 ? count : 0));
  }
  return text;
}

std::optional<double> read_number_file(const std::filesystem::path& path) {
  const std::string text = read_small_file(path);
  double number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

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

/// The line is "id (name) state parent …"; the name may hold anything, also ") ".
std::optional<ProcessStat> process_stat_of(const std::string& id,
                                           const std::filesystem::path& root) {
  const std::string text = read_small_file(root / "proc" / id / "stat");
  const std::size_t name_start = text.find('(');
  const std::size_t name_end = text.rfind(')');
  if (name_start == std::string::npos || name_end == std::string::npos || name_end < name_start) {
    return std::nullopt;
  }
  constexpr std::size_t kToParent = 4; // ") S "
  constexpr int kBetween = 9;          // columns from the parent to utime
  ProcessStat stat;
  stat.name = text.substr(name_start + 1, name_end - name_start - 1);
  std::string_view columns(text);
  columns.remove_prefix(std::min(name_end + kToParent, columns.size()));
  stat.parent = static_cast<std::int64_t>(take_number(columns).value_or(0));
  for (int i = 0; i < kBetween; ++i) {
    static_cast<void>(take_number(columns));
  }
  for (double* const ticks :
       {&stat.ticks, &stat.ticks, &stat.ticks_of_ended, &stat.ticks_of_ended}) {
    *ticks += take_number(columns).value_or(0); // user time, then system time
  }
  return stat;
}

/// Visits all threads: the kernel lists a child under the thread that started it.
std::vector<std::int64_t> child_processes(const std::filesystem::path& root) {
  std::vector<std::int64_t> found;
  for (const std::filesystem::path& task : folder_entries(root / "proc/self/task")) {
    const std::string text = read_small_file(task / "children");
    std::string_view children = text;
    while (const auto child = take_number(children)) {
      found.push_back(static_cast<std::int64_t>(*child));
    }
  }
  return found;
}

} // namespace sdbench
