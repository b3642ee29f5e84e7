#pragma once

#include <cstdint>
#include <string>

namespace sdbench {

/// How many processes the kernel's out-of-memory killer has ended so far, as far as it is counted
/// for us: on the whole host and in our cgroup. Only its growth means something.
[[nodiscard]] std::int64_t oom_kill_count();

/// The number after the line's key "oom_kill" in /proc/vmstat, memory.events or memory.oom_control;
/// 0 if there is none.
[[nodiscard]] std::int64_t parse_oom_kills(const std::string& text);

/// Where /proc/self/cgroup says that this process stands: the path of the unified (version 2)
/// hierarchy or of version 1's memory controller. Empty if it stands in none.
[[nodiscard]] std::string parse_cgroup_path(const std::string& text, bool version_2);

} // namespace sdbench
