#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sdbench {

/// Resources that this process's control groups (cgroups) still allow. An empty member means no
/// limit.
struct CgroupLimits {
  /// Bytes of memory left below the limit. Page cache counts as free, because the kernel can drop
  /// it.
  std::optional<std::int64_t> memory_left_bytes;
  /// cgroup version 2 only: above this usage, in bytes, the kernel slows the group down and
  /// reclaims memory.
  std::optional<std::int64_t> memory_high_bytes;
  std::optional<double> cores; ///< CPU seconds per second, such as 1.5
};

/// Reads the limits of cgroup version 1 or 2. Each member is the lowest value of this process's
/// group and all groups above it. `root`: "/" except in tests.
[[nodiscard]] CgroupLimits read_cgroup_limits(const std::filesystem::path& root = "/");

/// Folders of this process's control group for `controller` ("memory", "cpu"), and of all groups
/// above it. In cgroup version 2, all controllers have the same folders.
[[nodiscard]] std::vector<std::filesystem::path>
cgroup_folders(const std::string& controller, const std::filesystem::path& root = "/");

} // namespace sdbench
