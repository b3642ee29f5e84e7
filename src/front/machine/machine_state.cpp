#include "sdbench/front/machine/machine_state.h"

#include <array>
#include <system_error>

#include "sdbench/base/device/cgroup.h"
#include "sdbench/base/device/proc_text.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/front/machine/core_kinds.h"
#include "sdbench/front/machine/folder_entries.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// A file's text without the line end; empty if it cannot be read.
std::string line_of(const fs::path& file) {
  try {
    std::string text = read_text_file(file, 1u << 20);
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    return text;
  } catch (const Error&) {
    return {};
  }
}

/// A laptop on mains power has both supplies, so the adapter decides.
std::string power_supply(const fs::path& folder) {
  bool discharging = false;
  for (const fs::path& supply : folder_entries(folder)) {
    const std::string type = line_of(supply / "type");
    if (type == "Battery") {
      // A mouse or a headset also has a battery, with scope "Device".
      discharging = discharging || (line_of(supply / "scope") != "Device" &&
                                    line_of(supply / "status") == "Discharging");
    } else if (line_of(supply / "online") == "1") {
      return "ac";
    }
  }
  return discharging ? "battery" : "";
}

bool is_wsl(const std::string& kernel) {
  return in_small_letters(kernel).find("microsoft") != std::string::npos;
}

/// The container engine, known by its traces in the file system and in the cgroup names of the
/// first process.
std::string container(const fs::path& root, const std::string& kernel) {
  std::error_code ignored;
  const auto exists = [&](const char* file) { return fs::exists(root / file, ignored); };
  if (is_wsl(kernel)) {
    return "wsl";
  }
  if (exists("var/run/secrets/kubernetes.io")) {
    return "kubernetes";
  }
  if (exists(".dockerenv")) {
    return "docker";
  }
  if (exists("run/.containerenv")) {
    return "podman";
  }
  if (std::string name = line_of(root / "run/systemd/container"); !name.empty()) {
    return name;
  }
  const std::string groups = line_of(root / "proc/1/cgroup");
  constexpr std::array kMarks{std::array{"kubepods", "kubernetes"}, std::array{"docker", "docker"},
                              std::array{"libpod", "podman"}, std::array{"lxc", "lxc"},
                              std::array{"containerd", "container"}};
  for (const auto& [mark, name] : kMarks) {
    if (groups.find(mark) != std::string::npos) {
      return name;
    }
  }
  return "none";
}

} // namespace

MachineState read_machine_state(const fs::path& root) {
  const fs::path clock = root / "sys/devices/system/cpu/cpu0/cpufreq";
  MachineState state;
  state.governor = line_of(clock / "scaling_governor");
  state.clock_driver = line_of(clock / "scaling_driver");
  state.energy_preference = line_of(clock / "energy_performance_preference");
  state.power_supply = power_supply(root / "sys/class/power_supply");
  // "always [madvise] never"
  const std::string pages = line_of(root / "sys/kernel/mm/transparent_hugepage/enabled");
  if (const std::size_t chosen = pages.find('['); chosen != std::string::npos) {
    state.transparent_huge_pages = pages.substr(chosen + 1, pages.find(']') - chosen - 1);
  }
  const std::string balancing = line_of(root / "proc/sys/kernel/numa_balancing");
  state.numa_balancing = balancing.empty() ? "" : balancing == "0" ? "off" : "on";
  state.core_kinds = core_kinds(root);
  state.memory_high_bytes = read_cgroup_limits(root).memory_high_bytes;
  state.os = os_name_from(line_of(root / "etc/os-release"));
  state.kernel = line_of(root / "proc/sys/kernel/osrelease");
  state.container = container(root, state.kernel);
  state.slurm = slurm_job();
  return state;
}

bool saves_power(const MachineState& state) {
  if (state.energy_preference == "power") {
    return true;
  }
  // "intel_cpufreq" (intel_pstate's passive mode) does not choose clocks itself.
  const bool chooses_itself =
      state.clock_driver == "intel_pstate" || state.clock_driver == "amd-pstate-epp";
  return state.governor == "powersave" && state.energy_preference.empty() && !chooses_itself;
}

} // namespace sdbench
