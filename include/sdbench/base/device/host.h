#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Name of the processor. The functions in this file read /proc, /sys, uname and cgroups, and need
/// no library.
[[nodiscard]] std::string cpu_name();
/// True if the processor has instructions for bf16 (AVX512_BF16, AMX_BF16, or Arm's bf16).
[[nodiscard]] bool cpu_has_bf16();
/// The widest vector instruction set of the processor, among those that affect speed: "amx_bf16",
/// "avx512_bf16", "avx512f", "avx2", "neon", …
[[nodiscard]] std::string cpu_vector_set();
/// All instruction sets of the processor that affect speed, the widest last: "avx2 fma avx512f
/// avx512_bf16".
[[nodiscard]] std::string cpu_instruction_sets();
/// Checks the environment variable ATEN_CPU_CAPABILITY. If the processor does not support its
/// value, libtorch executes an illegal instruction, which kills the process. Returns an error text
/// in this case, else an empty text.
[[nodiscard]] std::string capability_obstacle();

struct HostMemory {
  std::int64_t total_bytes = 0;
  std::int64_t available_bytes = 0;
};
/// Reads the memory sizes from the text of /proc/meminfo. If the text has no total (lxcfs, hidden
/// /proc), both sizes are `physical_bytes`, the total from another kernel interface. Thus no cell
/// is refused because a size is unknown.
[[nodiscard]] HostMemory host_memory_from(std::string_view meminfo, std::int64_t physical_bytes);

[[nodiscard]] std::int64_t host_memory_total_bytes();
/// Bytes that this process may still allocate: the lowest of MemAvailable, what the cgroup's limit
/// leaves, and what RLIMIT_AS leaves.
[[nodiscard]] std::int64_t host_memory_available_bytes();
/// Peak resident memory of this process so far, in bytes (VmHWM).
[[nodiscard]] std::int64_t peak_resident_bytes();
/// Resets the peak to the current resident size. Returns false if the system does not allow it.
[[nodiscard]] bool reset_peak_resident();
/// Numbers of the cores in this process's affinity mask, ascending. Empty if the kernel does not
/// report them.
[[nodiscard]] std::vector<int> affinity_cores();
/// Number of cores that this process may use: the lower of the affinity mask's size and the
/// cgroup's quota (rounded up).
[[nodiscard]] int usable_core_count();
[[nodiscard]] std::string host_name();

/// Processor features that ATEN_CPU_CAPABILITY=`asked` needs and that are missing in `features`
/// (words of /proc/cpuinfo): "avx512f avx512vl". libtorch would use the missing instructions
/// without a check, which would kill the process. Empty if no feature is missing, if libtorch does
/// not know the value, or if `features` is empty.
[[nodiscard]] std::string
missing_for_capability(std::string_view asked, const std::set<std::string, std::less<>>& features);

} // namespace sdbench
