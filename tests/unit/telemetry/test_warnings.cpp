#include "sdbench/telemetry/warnings.h"

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

} // namespace

TEST_CASE("a machine as it should be gives no warnings") {
  MachineState machine;
  machine.governor = "performance";
  machine.power_supply = std::string("ac"); // GCC 12 warns of the plain literal (bug 105651)
  GpuFacts gpu;
  gpu.display_active = false;
  const GpuProcesses alone{true, {}};
  CHECK(setup_warnings(machine, &gpu, &alone).empty());
  CHECK(setup_warnings({}, nullptr, nullptr).empty());
  const TelemetrySummary measured;
  CHECK(cell_warnings({&measured, {}, {}, {}}).empty());
}

TEST_CASE("everything that slows a run down is named, with what to do") {
  MachineState machine;
  machine.governor = "powersave";
  machine.power_supply = "battery";
  GpuFacts gpu;
  gpu.display_active = true;
  const GpuProcesses others{true, {"12 (python3)", "13"}};
  const auto warnings = setup_warnings(machine, &gpu, &others);
  CHECK(flags_of(warnings) == "foreign_process display_attached battery power_saving");
  CHECK_THAT(warnings[0].text, ContainsSubstring("12 (python3), 13; end it"));
  CHECK_THAT(warnings[3].text, ContainsSubstring("cpupower"));
}

TEST_CASE("processes that cannot be seen are unknown, and no warning") {
  const GpuProcesses unseen{false, {"4711"}}; // a number of the host's, seen from a container
  CHECK(describe(unseen) == "unknown");
  CHECK(describe({true, {}}) == "none");
  CHECK(describe({true, {"1 (a)", "2 (b)"}}) == "1 (a), 2 (b)");
  CHECK(setup_warnings({}, nullptr, &unseen).empty());
}

TEST_CASE("heat and the power limit are told apart") {
  TelemetrySummary measured;
  measured.throttle_reasons = 0x44;
  measured.throttled_share = 0.25;
  measured.power_capped_share = 1;
  const auto warnings = cell_warnings({&measured, 450, {}, {}});
  CHECK(flags_of(warnings) == "throttled power_capped");
  CHECK_THAT(warnings[0].text, ContainsSubstring("25 % of the samples (hw_thermal_slowdown)"));
  CHECK_THAT(warnings[1].text, ContainsSubstring("the power limit of 450 W"));
}

TEST_CASE("spilling, swapping and a lost GPU are warned of, but not their usual noise") {
  TelemetrySummary measured;
  CHECK(cell_warnings({&measured, {}, 100 * kMib, 100 * kMib}).empty());
  measured.problem = "GPU is lost";
  const auto warnings = cell_warnings({&measured, {}, 2048 * kMib, 1024 * kMib});
  CHECK(flags_of(warnings) == "gpu_lost spilling swapping");
  CHECK_THAT(warnings[1].text, ContainsSubstring("2.00 GiB"));
}
