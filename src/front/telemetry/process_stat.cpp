#include "process_stat.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "sdbench/front/machine/folder_entries.h"

#include "proc_stat.h"
#include "small_file.h"

namespace sdbench {

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
