#include "sdbench/front/telemetry/processes.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proc_files.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

std::int64_t parent_of(std::int64_t id, const fs::path& root) {
  const auto stat = process_stat_of(std::to_string(id), root);
  return stat ? stat->parent : 0;
}

std::string describe_process(std::int64_t id, const fs::path& root) {
  std::string name = read_small_file(root / "proc" / std::to_string(id) / "comm");
  name = name.substr(0, name.find('\n'));
  return std::to_string(id) + (name.empty() ? "" : " (" + name + ")");
}

} // namespace

GpuProcesses sort_processes(const GpuProcessIds& ids, const fs::path& root) {
  const auto self =
      static_cast<std::int64_t>(read_number_file(root / "proc/self/stat").value_or(0));
  GpuProcesses processes;
  const auto is_ours = [&](std::int64_t id) {
    return first_upwards(
               id, [&](std::int64_t child) { return parent_of(child, root); },
               [self](std::int64_t process) { return process == self; }) != 0;
  };
  const auto sort_into = [&](std::vector<std::string>& foreign, std::int64_t id) {
    if (is_ours(id)) {
      processes.seen = true;
    } else {
      foreign.push_back(describe_process(id, root));
    }
  };
  std::set<std::int64_t> our_instances;
  const auto instance_of = [&ids](std::int64_t id) {
    const auto found = ids.instances.find(id);
    return found == ids.instances.end() ? std::nullopt : std::optional(found->second);
  };
  for (const std::int64_t id : ids.computing) {
    if (const auto instance = instance_of(id); instance && is_ours(id)) {
      our_instances.insert(*instance);
    }
  }
  for (const std::int64_t id : ids.computing) {
    const auto instance = instance_of(id);
    if (our_instances.empty() || !instance || our_instances.contains(*instance)) {
      sort_into(processes.others, id);
    }
  }
  for (const std::int64_t id : ids.drawing) {
    sort_into(processes.drawing, id);
  }
  return processes;
}

} // namespace sdbench
