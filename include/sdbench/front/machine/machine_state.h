#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sdbench/front/machine/slurm_job.h"

namespace sdbench {

/// Settings of the host that can slow down or distort measurements. Empty fields are unknown.
struct MachineState {
  std::string governor;          ///< governor of the first core: "performance", "powersave"
  std::string clock_driver;      ///< "intel_pstate", "acpi-cpufreq"
  std::string energy_preference; ///< "balance_performance", "power"
  std::string power_supply;      ///< "ac", "battery"
  std::string container; ///< "none", "docker", "podman", "kubernetes", "lxc", "container", "wsl"
  std::string os;        ///< PRETTY_NAME of os-release
  std::string kernel;    ///< release: "6.1.0-26-amd64"
  std::string transparent_huge_pages; ///< "always", "madvise", "never"
  std::string numa_balancing;         ///< "on", "off"
  /// For a processor with several kinds of cores: "performance 0-15, efficiency 16-23".
  std::string core_kinds;
  std::optional<std::int64_t> memory_high_bytes; ///< see CgroupLimits
  SlurmJob slurm;                                ///< job that this process belongs to
};

/// Reads /proc, /sys, /etc and /run below `root`, which is "/" except in tests. Also calls
/// slurm_job().
[[nodiscard]] MachineState read_machine_state(const std::filesystem::path& root = "/");

/// True if the host holds the clocks low: the energy preference is "power", or it is empty and the
/// governor is "powersave". With the drivers intel_pstate and amd-pstate-epp, the governor does not
/// count: they choose the clock themselves, and usually name their governor "powersave".
[[nodiscard]] bool saves_power(const MachineState& state);

} // namespace sdbench
