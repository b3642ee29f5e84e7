#pragma once

#include <cstdint>
#include <string>

namespace sdbench {

/// Processes that the kernel's out-of-memory killer has ended so far, as counted for the host plus
/// our cgroup. Only its growth is meaningful.
[[nodiscard]] std::int64_t oom_kill_count();

/// The number after the key "oom_kill" in /proc/vmstat, memory.events or memory.oom_control; 0
/// without that key.
[[nodiscard]] std::int64_t parse_oom_kills(const std::string& text);

/// This process's path in /proc/self/cgroup: in the unified hierarchy (version 2) or of version 1's
/// memory controller. Empty if it has no such path.
[[nodiscard]] std::string parse_cgroup_path(const std::string& text, bool version_2);

} // namespace sdbench
