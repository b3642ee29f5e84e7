#pragma once

#include <cstdint>
#include <string>

namespace sdbench {

/// Number of processes that the kernel's out-of-memory killer has ended so far: the host's count
/// plus the count of this process's cgroup. Only an increase is meaningful, because one process may
/// be in both counts.
[[nodiscard]] std::int64_t oom_kill_count();

/// The number after the key "oom_kill" in /proc/vmstat, memory.events or memory.oom_control; 0
/// without that key.
[[nodiscard]] std::int64_t parse_oom_kills(const std::string& text);

/// The cgroup path in `text`, the contents of /proc/self/cgroup. If `version_2` is true, takes the
/// path in the unified hierarchy, else the path in the hierarchy of version 1's memory controller.
/// Empty if there is no such path.
[[nodiscard]] std::string parse_cgroup_path(const std::string& text, bool version_2);

} // namespace sdbench
