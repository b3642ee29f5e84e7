#include "sdbench/base/device/host.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <ostream>
#include <thread>

#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "sdbench/base/device/cgroup.h"
#include "sdbench/base/device/proc_text.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench {
namespace {

utsname system_names() {
  utsname names{};
  return ::uname(&names) == 0 ? names : utsname{};
}

std::set<std::string, std::less<>> cpu_features() {
  return cpu_features_from(read_or_empty("/proc/cpuinfo"));
}

/// Address space that RLIMIT_AS leaves; empty without a limit.
std::optional<std::int64_t> address_space_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      limit.rlim_cur > static_cast<rlim_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  const std::int64_t used = proc_bytes(read_or_empty("/proc/self/status"), "VmSize").value_or(0);
  return std::max<std::int64_t>(static_cast<std::int64_t>(limit.rlim_cur) - used, 0);
}

HostMemory host_memory() {
  struct sysinfo system {};
  const bool told = ::sysinfo(&system) == 0;
  const auto physical = told ? static_cast<std::int64_t>(system.totalram) * system.mem_unit : 0;
  return host_memory_from(read_or_empty("/proc/meminfo"), physical);
}

/// Instruction sets with which libtorch's kernels of a capability are compiled
/// (cmake/Codegen.cmake). The kernels may use them anywhere.
struct Capability {
  std::string_view name;
  std::array<std::string_view, 6> features;
};

constexpr std::array kCapabilities{
    Capability{"avx2", {"avx2", "fma", "f16c"}},
    Capability{"avx512", {"avx512f", "avx512bw", "avx512vl", "avx512dq", "fma", "avx2"}}};

} // namespace

std::string cpu_name() {
  const std::string name = cpu_name_from(read_or_empty("/proc/cpuinfo"));
  return name.empty() ? std::string(system_names().machine) : name;
}

bool cpu_has_bf16() {
  return has_bf16(cpu_features());
}

std::string cpu_vector_set() {
  return vector_set_of(cpu_features());
}

std::string cpu_instruction_sets() {
  return instruction_sets_of(cpu_features());
}

std::string capability_obstacle() {
  const char* const asked = std::getenv("ATEN_CPU_CAPABILITY");
  const std::string missing = asked == nullptr ? "" : missing_for_capability(asked, cpu_features());
  return missing.empty()
             ? ""
             : "ATEN_CPU_CAPABILITY must be within this processor's instructions, but is " +
                   std::string(asked) + ", and it has no " + missing + "; unset it";
}

HostMemory host_memory_from(std::string_view meminfo, std::int64_t physical_bytes) {
  HostMemory memory;
  memory.total_bytes = proc_bytes(meminfo, "MemTotal").value_or(0);
  if (memory.total_bytes == 0) {
    return {physical_bytes, physical_bytes};
  }
  memory.available_bytes = proc_bytes(meminfo, "MemAvailable").value_or(memory.total_bytes);
  return memory;
}

std::int64_t host_memory_total_bytes() {
  return host_memory().total_bytes;
}

std::int64_t host_memory_available_bytes() {
  std::int64_t available = host_memory().available_bytes;
  if (const auto left = read_cgroup_limits().memory_left_bytes) {
    available = std::min(available, *left);
  }
  if (const auto left = address_space_left()) {
    available = std::min(available, *left);
  }
  return available;
}

std::int64_t peak_resident_bytes() {
  return proc_bytes(read_or_empty("/proc/self/status"), "VmHWM").value_or(0);
}

bool reset_peak_resident() {
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << "5" << std::flush); // see proc(5)
}

std::vector<int> affinity_cores() {
  // The kernel refuses a mask smaller than its own, so it is doubled until it fits.
  for (std::size_t size = 1024; size <= (1u << 20); size *= 2) {
    std::vector<cpu_set_t> mask(CPU_ALLOC_SIZE(size) / sizeof(cpu_set_t));
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    if (::sched_getaffinity(0, bytes, mask.data()) != 0) {
      continue;
    }
    std::vector<int> cores;
    for (std::size_t core = 0; core < size; ++core) {
      if (CPU_ISSET_S(core, bytes, mask.data())) {
        cores.push_back(static_cast<int>(core));
      }
    }
    return cores;
  }
  return {};
}

int usable_core_count() {
  const std::vector<int> cores = affinity_cores();
  int count = static_cast<int>(cores.empty() ? std::thread::hardware_concurrency() : cores.size());
  if (const auto quota = read_cgroup_limits().cores) {
    count = std::min(count, static_cast<int>(std::ceil(std::min(*quota, 1e6))));
  }
  return std::max(count, 1);
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') {
    return "unknown";
  }
  return name.data();
}

std::string missing_for_capability(std::string_view asked,
                                   const std::set<std::string, std::less<>>& features) {
  std::string missing;
  for (const Capability& capability : kCapabilities) {
    if (capability.name != asked || features.empty()) {
      continue;
    }
    for (const std::string_view feature : capability.features) {
      if (!feature.empty() && !features.contains(feature)) {
        missing.append(missing.empty() ? "" : " ").append(feature);
      }
    }
  }
  return missing;
}

} // namespace sdbench
