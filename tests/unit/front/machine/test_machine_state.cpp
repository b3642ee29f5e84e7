#include "sdbench/front/machine/machine_state.h"

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

TEST_CASE("a machine that tells nothing gives empty facts, and is no container") {
  const ScratchFolder root;
  const MachineState state = read_machine_state(root.path());
  CHECK(state.governor.empty());
  CHECK(state.power_supply.empty());
  CHECK(state.container == "none");
  CHECK_FALSE(saves_power(state));
}

TEST_CASE("this machine tells its system and its kernel") {
  const MachineState state = read_machine_state();
  CHECK_FALSE(state.os.empty());
  CHECK_FALSE(state.kernel.empty());
  CHECK_FALSE(state.container.empty());
}

TEST_CASE(
    "a laptop runs on battery only without its adapter, and a mouse's battery is not its own") {
  const ScratchFolder root;
  const std::string supplies = "sys/class/power_supply/";
  root.write(supplies + "hidpp_battery_0/type", "Battery\n");
  root.write(supplies + "hidpp_battery_0/scope", "Device\n");
  root.write(supplies + "hidpp_battery_0/status", "Discharging\n");
  CHECK(read_machine_state(root.path()).power_supply.empty());
  root.write(supplies + "BAT0/type", "Battery\n");
  root.write(supplies + "BAT0/status", "Discharging\n");
  root.write(supplies + "AC/type", "Mains\n");
  root.write(supplies + "AC/online", "0\n");
  CHECK(read_machine_state(root.path()).power_supply == "battery");
  root.write(supplies + "AC/online", "1\n");
  CHECK(read_machine_state(root.path()).power_supply == "ac");
}

TEST_CASE("containers and WSL are known by what they leave") {
  const ScratchFolder root;
  const auto container = [&root] { return read_machine_state(root.path()).container; };
  root.write("proc/1/cgroup", "0::/init.scope\n");
  CHECK(container() == "none");
  root.write("proc/1/cgroup", "0::/system.slice/lxc/box\n");
  CHECK(container() == "lxc");
  root.write("run/.containerenv", "");
  CHECK(container() == "podman");
  root.write(".dockerenv", "");
  CHECK(container() == "docker");
  root.write("var/run/secrets/kubernetes.io/token", "");
  CHECK(container() == "kubernetes");
  root.write("proc/sys/kernel/osrelease", "5.15.153.1-Microsoft-standard-WSL2\n");
  CHECK(container() == "wsl");
}

TEST_CASE("powersave holds the clocks down only where the processor does not choose them itself") {
  MachineState state;
  state.governor = "powersave";
  state.clock_driver = "acpi-cpufreq";
  CHECK(saves_power(state));
  state.clock_driver = "intel_pstate";
  state.energy_preference = "balance_performance";
  CHECK_FALSE(saves_power(state));
  state.energy_preference = "power";
  CHECK(saves_power(state));
  state.energy_preference.clear(); // processors before Skylake, and those in virtual machines
  CHECK_FALSE(saves_power(state));
  state.clock_driver = "amd-pstate-epp";
  CHECK_FALSE(saves_power(state));
  for (const char* const driver : {"intel_cpufreq", "amd-pstate", "cppc_cpufreq", ""}) {
    CAPTURE(driver);
    state.clock_driver = driver;
    CHECK(saves_power(state));
  }
  state = {};
  state.governor = "schedutil";
  CHECK_FALSE(saves_power(state));
}

TEST_CASE("the clock's governor is read from the first core") {
  const ScratchFolder root;
  const std::string core = "sys/devices/system/cpu/cpu0/cpufreq/";
  root.write(core + "scaling_governor", "powersave\n");
  root.write(core + "scaling_driver", "intel_pstate\n");
  root.write(core + "energy_performance_preference", "power\n");
  const MachineState state = read_machine_state(root.path());
  CHECK(state.governor == "powersave");
  CHECK(state.clock_driver == "intel_pstate");
  CHECK(state.energy_preference == "power");
}

TEST_CASE("how memory is handled is told: huge pages, NUMA balancing, the group's memory.high") {
  const ScratchFolder root;
  CHECK(read_machine_state(root.path()).transparent_huge_pages.empty());
  CHECK(read_machine_state(root.path()).numa_balancing.empty());
  CHECK_FALSE(read_machine_state(root.path()).memory_high_bytes.has_value());
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  root.write("proc/sys/kernel/numa_balancing", "2\n");
  root.write("proc/self/cgroup", "0::/outer/inner\n");
  root.write("sys/fs/cgroup/cgroup.controllers", "memory\n");
  root.write("sys/fs/cgroup/outer/memory.high", "1000000\n");
  root.write("sys/fs/cgroup/outer/inner/memory.high", "max\n");
  const MachineState state = read_machine_state(root.path());
  CHECK(state.transparent_huge_pages == "madvise");
  CHECK(state.numa_balancing == "on");
  CHECK(state.memory_high_bytes == 1'000'000);
  root.write("proc/sys/kernel/numa_balancing", "0\n");
  CHECK(read_machine_state(root.path()).numa_balancing == "off");
}
