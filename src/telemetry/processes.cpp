#include "sdbench/telemetry/processes.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "small_file.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

std::int64_t leading_number(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Parent of a process from "id (name) state parent …"; 0 if it is gone. The name may hold
/// anything.
std::int64_t parent_of(std::int64_t id, const fs::path& root) {
  const std::string stat = read_small_file(root / "proc" / std::to_string(id) / "stat");
  const std::size_t name_end = stat.rfind(") ");
  constexpr std::size_t kToParent = 4; // ") S "
  return name_end == std::string::npos || name_end + kToParent >= stat.size()
             ? 0
             : leading_number(std::string_view(stat).substr(name_end + kToParent));
}

bool descends_from(std::int64_t id, std::int64_t ancestor, const fs::path& root) {
  constexpr int kDeepest = 64; // processes may die while we climb: never for ever
  for (int i = 0; i < kDeepest && id > 0; ++i) {
    if (id == ancestor) {
      return true;
    }
    id = parent_of(id, root);
  }
  return false;
}

std::string describe_process(std::int64_t id, const fs::path& root) {
  std::string name = read_small_file(root / "proc" / std::to_string(id) / "comm");
  name = name.substr(0, name.find('\n'));
  return std::to_string(id) + (name.empty() ? "" : " (" + name + ")");
}

} // namespace

GpuProcesses sort_processes(const GpuProcessIds& ids, const fs::path& root) {
  const std::int64_t self = leading_number(read_small_file(root / "proc/self/stat"));
  GpuProcesses processes;
  const auto sort_into = [&](std::vector<std::string>& foreign, std::int64_t id) {
    if (descends_from(id, self, root)) {
      processes.seen = true;
    } else {
      foreign.push_back(describe_process(id, root));
    }
  };
  for (const std::int64_t id : ids.computing) {
    sort_into(processes.others, id);
  }
  for (const std::int64_t id : ids.drawing) {
    sort_into(processes.drawing, id);
  }
  return processes;
}

} // namespace sdbench
