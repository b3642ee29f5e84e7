#include "sdbench/front/bench/oom_counter.h"

#include <sstream>

#include "sdbench/base/files/json_io.h"

namespace sdbench {
std::int64_t parse_oom_kills(const std::string& text) {
  std::istringstream lines(text);
  std::string key;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::int64_t count = 0;
    if (words >> key >> count && key == "oom_kill") {
      return count;
    }
  }
  return 0;
}

std::string parse_cgroup_path(const std::string& text, bool version_2) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) { // "0::/a/b" or "5:memory:/a/b"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers == (version_2 ? "" : "memory")) {
      return line.substr(second + 1);
    }
  }
  return "";
}

std::int64_t oom_kill_count() {
  const std::string cgroups = read_or_empty("/proc/self/cgroup");
  const std::string root = "/sys/fs/cgroup";
  std::int64_t count = parse_oom_kills(read_or_empty("/proc/vmstat"));
  count +=
      parse_oom_kills(read_or_empty(root + parse_cgroup_path(cgroups, true) + "/memory.events"));
  count += parse_oom_kills(
      read_or_empty(root + "/memory" + parse_cgroup_path(cgroups, false) + "/memory.oom_control"));
  return count;
}

} // namespace sdbench
