#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/warnings.h"

#include "catch.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string flags_of(const std::vector<Warning>& warnings) {
  std::string flags;
  for (const Warning& warning : warnings) {
    flags += (flags.empty() ? "" : " ") + warning.flag;
  }
  return flags;
}

constexpr std::int64_t kMib = std::int64_t{1} << 20;

/// Findings of a cell on the CPU, with only a summary.
CellFindings of(const TelemetrySummary& measured) {
  CellFindings findings;
  findings.measured = &measured;
  return findings;
}

} // namespace

TEST_CASE("a machine as it should be gives no warnings") {
  MachineState machine;
  machine.governor = "performance";
  machine.power_supply = std::string("ac"); // GCC 12 warns of the plain literal (bug 105651)
  GpuFacts gpu;
  gpu.display_active = false;
  const GpuProcesses alone{true, {}, {}};
  CHECK(setup_warnings(machine, &gpu, &alone).empty());
  CHECK(setup_warnings({}, nullptr, nullptr).empty());
  const TelemetrySummary measured;
  CHECK(cell_warnings(of(measured)).empty());
}

TEST_CASE("everything that slows a run down is named, with what to do") {
  MachineState machine;
  machine.governor = "powersave";
  machine.power_supply = "battery";
  GpuFacts gpu;
  gpu.display_active = true;
  const GpuProcesses others{true, {"12 (python3)", "13"}, {}};
  const auto warnings = setup_warnings(machine, &gpu, &others);
  CHECK(flags_of(warnings) == "foreign_process display_attached battery power_saving");
  CHECK_THAT(warnings[0].text, ContainsSubstring("12 (python3), 13; end it"));
  CHECK_THAT(warnings[3].text, ContainsSubstring("cpupower"));
}

TEST_CASE("processes that cannot be seen are unknown, and no warning") {
  const GpuProcesses unseen{
      false, {"4711"}, {"4712"}}; // a number of the host's, seen from a container
  CHECK(describe(unseen) == "unknown");
  CHECK(describe({true, {}, {}}) == "none");
  CHECK(describe({true, {"1 (a)", "2 (b)"}, {"3 (Xorg)"}}) == "1 (a), 2 (b), 3 (Xorg) draws");
  CHECK(setup_warnings({}, nullptr, &unseen).empty());
}

TEST_CASE("a desktop's processes are told of a display, and nobody is asked to end them") {
  const GpuProcesses desktop{true, {}, {"900 (Xorg)", "901 (gnome-shell)"}};
  GpuFacts gpu;
  for (const bool has_display : {false, true}) {
    gpu.display_active = has_display;
    const auto warnings = setup_warnings({}, &gpu, &desktop);
    CHECK(flags_of(warnings) == "display_attached");
    CHECK_THAT(warnings.at(0).text,
               ContainsSubstring("(900 (Xorg), 901 (gnome-shell)); for steady"));
    CHECK_THAT(warnings.at(0).text, !ContainsSubstring("end it"));
  }
}

TEST_CASE("two energies that lie far apart are flagged, with whose is told") {
  TelemetrySummary measured;
  measured.energy_gap = 0.2;
  CHECK(cell_warnings(of(measured)).empty());
  measured.energy_gap = 0.4;
  const auto warnings = cell_warnings(of(measured));
  REQUIRE(flags_of(warnings) == "energy_unsure");
  CHECK_THAT(warnings[0].text, ContainsSubstring("differ by 40 %; energy_j is the counter's"));
}

TEST_CASE("heat and the power limit are told apart") {
  TelemetrySummary measured;
  measured.throttle_reasons = 0x44;
  measured.throttled_share = 0.25;
  measured.power_capped_share = 1;
  GpuFacts gpu;
  gpu.power_limit_w = 450;
  CellFindings findings = of(measured);
  findings.gpu = &gpu;
  const auto warnings = cell_warnings(findings);
  CHECK(flags_of(warnings) == "throttled power_capped");
  CHECK_THAT(warnings[0].text, ContainsSubstring("25 % of the samples (hw_thermal_slowdown);"));
  CHECK_THAT(warnings[1].text, ContainsSubstring("the power limit of 450 W"));
  findings.drift = 0.07;
  CHECK_THAT(cell_warnings(findings)[0].text, ContainsSubstring("steps grew 7.0 % slower"));
}

TEST_CASE("steps that grow slower while the GPU grows warmer are throttled, drift alone is not") {
  TelemetrySummary measured;
  const GpuFacts gpu;
  CellFindings findings = of(measured);
  findings.gpu = &gpu;
  findings.drift = 0.07;
  CHECK(cell_warnings(findings).empty()); // no sensor
  measured.temperature_rise_c = 1;        // may be due to rounding to whole degrees
  measured.cpu_temperature_rise_c = 20;
  CHECK(cell_warnings(findings).empty());
  measured.temperature_rise_c = 4.5;
  const auto warnings = cell_warnings(findings);
  CHECK(flags_of(warnings) == "throttled");
  CHECK(warnings[0].text ==
        "steps grew 7.0 % slower while it grew warmer (by 4.5 degC between the halves): the GPU "
        "seems to slow itself down; see to its cooling and its power supply, or leave pauses with "
        "--cooldown");
  findings.drift.reset();
  CHECK(cell_warnings(findings).empty()); // warmer, but not slower
}

TEST_CASE("a processor whose thermal counters rose is throttled, if the cell computes on it") {
  TelemetrySummary measured;
  measured.thermal_events = 3;
  const auto warnings = cell_warnings(of(measured));
  REQUIRE(flags_of(warnings) == "throttled");
  CHECK_THAT(warnings[0].text, ContainsSubstring("thermal counters rose by 3; see to its cooling"));
  const GpuFacts gpu;
  CellFindings on_gpu = of(measured);
  on_gpu.gpu = &gpu;
  CHECK(cell_warnings(on_gpu).empty());
  measured.thermal_events = 0;
  CHECK(cell_warnings(of(measured)).empty());
}

TEST_CASE("steps that grow slower while clocks are held down more and more are throttled") {
  TelemetrySummary measured;
  measured.throttle_reasons = 0x4;
  measured.held_back_rise = 0.1;
  const GpuFacts gpu;
  CellFindings findings = of(measured);
  findings.gpu = &gpu;
  findings.drift = 0.03;
  CHECK(cell_warnings(findings).empty());
  measured.held_back_rise = 0.5;
  const auto warnings = cell_warnings(findings);
  CHECK(flags_of(warnings) == "throttled");
  CHECK_THAT(warnings[0].text, ContainsSubstring("more and more often (sw_power_cap)"));
}

TEST_CASE("on a CPU its own temperature is the witness") {
  TelemetrySummary measured;
  measured.temperature_rise_c = 9; // of a GPU, which does not matter here
  CellFindings findings = of(measured);
  findings.drift = 0.03;
  CHECK(cell_warnings(findings).empty());
  measured.cpu_temperature_rise_c = 9;
  CHECK_THAT(cell_warnings(findings).at(0).text, ContainsSubstring("the processor seems to slow"));
}

TEST_CASE("a PCIe link below its best under load is warned of") {
  TelemetrySummary measured;
  GpuFacts gpu;
  CellFindings findings = of(measured);
  findings.gpu = &gpu;
  gpu.pcie_generation = 4;
  gpu.pcie_width = 16;
  CHECK(cell_warnings(findings).empty()); // unknown
  measured.pcie_generation.max = 4;
  measured.pcie_width.max = 16;
  CHECK(cell_warnings(findings).empty());
  measured.pcie_width.max = 8;
  const auto warnings = cell_warnings(findings);
  CHECK(flags_of(warnings) == "slow_link");
  CHECK_THAT(warnings[0].text, ContainsSubstring("generation 4 x8 under load") &&
                                   ContainsSubstring("can do generation 4 x16"));
  measured.pcie_width.max = 16;
  measured.pcie_generation.max = 1;
  CHECK(flags_of(cell_warnings(findings)) == "slow_link");
}

TEST_CASE("spilling, swapping and a lost GPU are warned of, but not their usual noise") {
  TelemetrySummary measured;
  CellFindings findings = of(measured);
  findings.spilled_bytes = 100 * kMib;
  findings.swap_traffic_bytes = 50 * kMib;
  CHECK(cell_warnings(findings).empty());
  findings.gpu_problem = "GPU is lost";
  findings.spilled_bytes = 2048 * kMib;
  findings.swap_traffic_bytes = 100 * kMib; // a small machine that thrashes
  const auto warnings = cell_warnings(findings);
  CHECK(flags_of(warnings) == "gpu_lost spilling swapping");
  CHECK_THAT(warnings[1].text, ContainsSubstring("2.00 GiB"));
  CHECK_THAT(warnings[2].text, ContainsSubstring("100 MiB to swap and back"));
}

TEST_CASE("an error that the GPU's driver reports is a flag, with its number") {
  const TelemetrySummary measured;
  CellFindings findings = of(measured);
  findings.xids = Xids{};
  CHECK(cell_warnings(findings).empty());
  findings.xids = Xids{2, 79};
  const auto warnings = cell_warnings(findings);
  CHECK(flags_of(warnings) == "xid");
  CHECK_THAT(warnings[0].text, ContainsSubstring("reported 2 errors (Xid 79) during this cell"));
}

TEST_CASE("in WSL2 a full GPU is enough to warn, because Linux does not see what spills") {
  const TelemetrySummary measured;
  CellFindings findings = of(measured);
  findings.in_wsl = true;
  CHECK(cell_warnings(findings).empty()); // never full
  findings.spilled_bytes = 0;
  const auto warnings = cell_warnings(findings);
  CHECK(flags_of(warnings) == "spilling");
  CHECK_THAT(warnings[0].text, ContainsSubstring("Windows' task manager"));
  findings.spilled_bytes = 2048 * kMib; // one warning is enough
  CHECK(flags_of(cell_warnings(findings)) == "spilling");
  findings.in_wsl = false;
  findings.spilled_bytes = 0;
  CHECK(cell_warnings(findings).empty());
}

TEST_CASE("a timed part that lasted much longer than its runs was held up") {
  TelemetrySummary measured;
  measured.seconds = 13.4;
  CellFindings findings = of(measured);
  CHECK_FALSE(was_held_up(findings)); // the time of the runs is unknown
  findings.runs_s = 10;
  CHECK_FALSE(was_held_up(findings));
  measured.seconds = 13.6;
  CHECK(was_held_up(findings));
  const auto warnings = cell_warnings(findings);
  CHECK(flags_of(warnings) == "held_up");
  CHECK_THAT(warnings[0].text, ContainsSubstring("recorded 13.6 s, but the runs took 10"));
}

TEST_CASE("what to do about a busy node of a cluster depends on whether it is the job's alone") {
  OthersShare others;
  others.cores = 2;
  others.foreign_cores = 1;
  CHECK_THAT(busy_warning(others, "").text, ContainsSubstring("; end them"));
  CHECK_THAT(busy_warning(others, "", "shared").text, ContainsSubstring("sbatch --exclusive"));
  CHECK_THAT(busy_warning(others, "", "exclusive").text,
             ContainsSubstring("this job has the node for itself"));
  others.steal_cores = 1.5;
  CHECK_THAT(busy_warning(others, "", "shared").text, ContainsSubstring("a dedicated machine"));
}

TEST_CASE("a machine that was suspended within a cell is told with how long, in no other way") {
  const TelemetrySummary measured;
  CellFindings findings = of(measured);
  findings.suspended_s = 0.001; // two clocks, one read after the other
  CHECK(cell_warnings(findings).empty());
  findings.suspended_s = 3600;
  const auto warnings = cell_warnings(findings);
  CHECK(flags_of(warnings) == "suspended");
  CHECK_THAT(warnings[0].text, ContainsSubstring("suspended for 3600 s"));
}
