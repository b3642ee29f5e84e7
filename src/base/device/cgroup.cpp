#include "sdbench/base/device/cgroup.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "sdbench/base/device/proc_text.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

bool is_version2(const fs::path& root) {
  return fs::exists(root / "sys/fs/cgroup/cgroup.controllers");
}

/// Version 1 writes a number near 2^63 for "no limit".
constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;

/// The number at the start of `text`; "max" and anything else are no number.
std::optional<std::int64_t> leading_number(std::string_view text) {
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

/// "inactive_file 4096" among the lines of memory.stat.
std::int64_t stat_value(std::string_view stat, const std::string& key) {
  for (const std::string_view line : split(stat, '\n')) {
    if (line.starts_with(key + " ")) {
      return leading_number(line.substr(key.size() + 1)).value_or(0);
    }
  }
  return 0;
}

/// Names of the files with the same content in both versions.
struct MemoryFiles {
  const char* limit;
  const char* usage;
  const char* inactive; ///< keys of memory.stat
  const char* active;
};
constexpr MemoryFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                                "total_inactive_file", "total_active_file"};
constexpr MemoryFiles kVersion2{"memory.max", "memory.current", "inactive_file", "active_file"};

std::optional<std::int64_t> memory_left(const fs::path& group, const MemoryFiles& files) {
  const auto limit = leading_number(read_or_empty(group / files.limit));
  if (!limit || *limit >= kNoLimit) {
    return std::nullopt;
  }
  const std::int64_t used = leading_number(read_or_empty(group / files.usage)).value_or(0);
  const std::string stat = read_or_empty(group / "memory.stat");
  const std::int64_t droppable = stat_value(stat, files.inactive) + stat_value(stat, files.active);
  return std::clamp<std::int64_t>(*limit - std::max<std::int64_t>(used - droppable, 0), 0, *limit);
}

std::optional<double> cores(const fs::path& group, bool version2) {
  std::optional<std::int64_t> quota;
  std::optional<std::int64_t> period;
  if (version2) {
    const std::string text = read_or_empty(group / "cpu.max"); // "150000 100000" or "max 100000"
    quota = leading_number(text);
    period = leading_number(
        std::string_view(text).substr(std::min(text.find(' '), text.size() - 1) + 1));
  } else {
    quota = leading_number(read_or_empty(group / "cpu.cfs_quota_us")); // -1: no limit
    period = leading_number(read_or_empty(group / "cpu.cfs_period_us"));
  }
  if (!quota || !period || *quota <= 0 || *period <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

template <typename Value>
void keep_least(std::optional<Value>& least, const std::optional<Value>& value) {
  if (value && (!least || *value < *least)) {
    least = value;
  }
}

} // namespace

/// A container's path may name groups that are not mounted there: their files are missing.
std::vector<fs::path> cgroup_folders(const std::string& controller, const fs::path& root) {
  const fs::path mount = root / "sys/fs/cgroup";
  const bool version2 = is_version2(root);
  const fs::path top = version2 ? mount : mount / controller;
  const std::string own =
      cgroup_path_from(read_or_empty(root / "proc/self/cgroup"), version2 ? "" : controller)
          .value_or("/");
  std::vector<fs::path> folders;
  for (fs::path group = fs::path(own).relative_path().lexically_normal(); !group.empty();
       group = group.parent_path()) {
    folders.push_back(top / group);
  }
  folders.push_back(top);
  return folders;
}

CgroupLimits read_cgroup_limits(const fs::path& root) {
  const bool version2 = is_version2(root);
  CgroupLimits limits;
  for (const fs::path& group : cgroup_folders("memory", root)) {
    keep_least(limits.memory_left_bytes, memory_left(group, version2 ? kVersion2 : kVersion1));
    keep_least(limits.memory_high_bytes, leading_number(read_or_empty(group / "memory.high")));
  }
  for (const fs::path& group : cgroup_folders("cpu", root)) {
    keep_least(limits.cores, cores(group, version2));
  }
  return limits;
}

} // namespace sdbench
