#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sdbench {

/// What the control groups that this process stands in still allow it; empty where they set no
/// limit.
struct CgroupLimits {
  std::optional<std::int64_t> memory_left_bytes; ///< page cache that can be dropped counts as left
  std::optional<double> cores;                   ///< CPU time per time, e.g. 1.5
};

/// Reads versions 1 and 2, this group and all above it, the tightest of which counts. `root` is "/"
/// but in tests.
[[nodiscard]] CgroupLimits read_cgroup_limits(const std::filesystem::path& root = "/");

} // namespace sdbench
