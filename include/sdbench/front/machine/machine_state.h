#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sdbench/front/machine/slurm_job.h"

namespace sdbench {

/// The settings of the host that can slow the same machine down or distort its figures. Empty:
/// unknown.
struct MachineState {
  std::string governor;          ///< of the first core's clock: "performance", "powersave"
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
  SlurmJob slurm;                                ///< that this process belongs to
};

/// Reads /proc, /sys, /etc and /run under `root`, "/" but in tests; slurm_job() besides.
[[nodiscard]] MachineState read_machine_state(const std::filesystem::path& root = "/");

/// True if the governor holds the clocks low. "powersave" alone does not mean that: with drivers
/// that let the processor choose (intel_pstate, amd-pstate-epp) it is the usual setting, and the
/// energy preference decides.
[[nodiscard]] bool saves_power(const MachineState& state);

} // namespace sdbench
