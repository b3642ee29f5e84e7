#include "child_processes.h"

#include <string>
#include <string_view>

#include "proc_stat.h"
#include "sdbench/front/machine/folder_entries.h"
#include "small_file.h"

namespace sdbench {

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
