#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Facts of the host that need no library: from /proc, /sys, uname and cgroups.
[[nodiscard]] std::string cpu_name();
/// True if the processor computes bf16 natively (AVX512_BF16, AMX_BF16, or Arm's bf16).
[[nodiscard]] bool cpu_has_bf16();
/// Widest relevant vector set: "amx_bf16", "avx512_bf16", "avx512f", "avx2", "neon", …
[[nodiscard]] std::string cpu_vector_set();
/// The processor's relevant instruction sets, the widest last: "avx2 fma avx512f avx512_bf16".
[[nodiscard]] std::string cpu_instruction_sets();
/// Why libtorch would be killed with this ATEN_CPU_CAPABILITY, which it does not check; empty if it
/// would not.
[[nodiscard]] std::string capability_obstacle();

struct HostMemory {
  std::int64_t total_bytes = 0;
  std::int64_t available_bytes = 0;
};
/// From /proc/meminfo. If that has no figures (lxcfs, hidden /proc), uses the total that the kernel
/// reports elsewhere, because an unknown amount must not refuse a cell.
[[nodiscard]] HostMemory host_memory_from(std::string_view meminfo, std::int64_t physical_bytes);

[[nodiscard]] std::int64_t host_memory_total_bytes();
/// Memory that this process may still take: the least of MemAvailable, the rest of the cgroup's
/// limit, and the rest of RLIMIT_AS.
[[nodiscard]] std::int64_t host_memory_available_bytes();
/// Highest resident size of this process so far (VmHWM).
[[nodiscard]] std::int64_t peak_resident_bytes();
/// Makes peak_resident_bytes start again from the current resident size. False if the system does
/// not allow it.
[[nodiscard]] bool reset_peak_resident();
/// Numbers of the cores in this process's affinity mask, ascending; empty if the kernel does not
/// report them.
[[nodiscard]] std::vector<int> affinity_cores();
/// Cores this process may run on (affinity mask and cgroup quota, rounded up).
[[nodiscard]] int usable_core_count();
[[nodiscard]] std::string host_name();

/// The features that a processor with `features` (words of /proc/cpuinfo) lacks for
/// ATEN_CPU_CAPABILITY=`asked`, like "avx512f avx512vl". libtorch uses the instructions without
/// checking, and is then killed. Empty if nothing is missing, if libtorch does not know the word,
/// or if the features are unknown.
[[nodiscard]] std::string
missing_for_capability(std::string_view asked, const std::set<std::string, std::less<>>& features);

} // namespace sdbench
