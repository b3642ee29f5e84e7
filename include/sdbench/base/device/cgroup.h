#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sdbench {

/// What this process's control groups still allow. Empty members have no limit.
struct CgroupLimits {
  std::optional<std::int64_t> memory_left_bytes; ///< page cache that can be dropped counts as left
  /// Version 2: above this the kernel slows the group down and reclaims memory.
  std::optional<std::int64_t> memory_high_bytes;
  std::optional<double> cores; ///< CPU time per time, e.g. 1.5
};

/// Reads versions 1 and 2. The tightest limit of this group and all above it holds. `root` is "/"
/// except in tests.
[[nodiscard]] CgroupLimits read_cgroup_limits(const std::filesystem::path& root = "/");

/// Folders of this process's control group for `controller` ("memory", "cpu"), and of all groups
/// above it. Version 2 has one group for all controllers.
[[nodiscard]] std::vector<std::filesystem::path>
cgroup_folders(const std::string& controller, const std::filesystem::path& root = "/");

} // namespace sdbench
