#include "sdbench/telemetry/processes.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "process_stat.h"
#include "small_file.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

std::int64_t leading_number(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool descends_from(std::int64_t id, std::int64_t ancestor, const fs::path& root) {
  constexpr int kDeepest = 64; // processes may die while we climb: never for ever
  for (int i = 0; i < kDeepest && id > 0; ++i) {
    if (id == ancestor) {
      return true;
    }
    const auto stat = process_stat_of(std::to_string(id), root);
    id = stat ? stat->parent : 0;
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
