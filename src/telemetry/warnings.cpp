#include "sdbench/telemetry/warnings.h"

#include "sdbench/core/number_text.h"

namespace sdbench {
namespace {

/// Below this the host's memory moves by itself.
constexpr std::int64_t kNoticeableBytes = std::int64_t{256} << 20;

std::string gib(std::int64_t bytes) {
  constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
  return significant_text(static_cast<double>(bytes) / kGib) + " GiB";
}

std::string share_text(double share) {
  constexpr double kPercent = 100;
  return significant_text(kPercent * share, 2) + " % of the samples";
}

} // namespace

std::string describe(const GpuProcesses& processes) {
  std::string list;
  for (const std::string& process : processes.others) {
    list += (list.empty() ? "" : ", ") + process;
  }
  return !processes.seen ? "unknown" : list.empty() ? "none" : list;
}

std::vector<Warning> setup_warnings(const MachineState& machine, const GpuFacts* gpu,
                                    const GpuProcesses* processes) {
  std::vector<Warning> warnings;
  if (processes != nullptr && processes->seen && !processes->others.empty()) {
    warnings.push_back(
        {"foreign_process", "another process computes on this GPU: " + describe(*processes) +
                                "; end it, or take another GPU with --device"});
  }
  if (gpu != nullptr && gpu->display_active.value_or(false)) {
    warnings.push_back({"display_attached",
                        "a display is attached to this GPU, which also draws it; for steady "
                        "figures use a GPU without one, or log out of the desktop"});
  }
  if (machine.power_supply == "battery") {
    warnings.push_back(
        {"battery", "the machine runs on its battery, which slows it down; plug it in"});
  }
  if (saves_power(machine)) {
    warnings.push_back(
        {"power_saving",
         "the processor's clocks are held low (governor " + machine.governor +
             (machine.energy_preference.empty() ? ""
                                                : ", preference " + machine.energy_preference) +
             "); try: sudo cpupower frequency-set -g performance"});
  }
  return warnings;
}

std::vector<Warning> cell_warnings(const CellFindings& findings) {
  const TelemetrySummary& measured = *findings.measured;
  std::vector<Warning> warnings;
  if (!measured.problem.empty()) {
    warnings.push_back({"gpu_lost", "the GPU stopped answering while it was measured (" +
                                        measured.problem +
                                        "); look into the kernel's log for Xid, and reset it"});
  }
  if (measured.throttled_share > 0) {
    const std::string reasons =
        throttle_reason_names(measured.throttle_reasons.value_or(0) & kThrottledBits);
    warnings.push_back({"throttled", "the GPU slowed itself down in " +
                                         share_text(measured.throttled_share) + " (" + reasons +
                                         "); see to its cooling and its power supply, or "
                                         "leave pauses"});
  }
  if (measured.power_capped_share > 0) {
    warnings.push_back(
        {"power_capped",
         "the power limit" +
             (findings.power_limit_w ? " of " + significant_text(*findings.power_limit_w) + " W"
                                     : std::string()) +
             " held the GPU's clocks down in " + share_text(measured.power_capped_share) +
             "; compare only with runs at the same limit"});
  }
  if (findings.spilled_bytes.value_or(0) > kNoticeableBytes) {
    warnings.push_back({"spilling", "the GPU's memory is full and the host's grew by " +
                                        gib(*findings.spilled_bytes) +
                                        ": the driver seems to move data there, which is slow; "
                                        "take a smaller batch or size"});
  }
  if (findings.swap_growth_bytes.value_or(0) > kNoticeableBytes) {
    warnings.push_back({"swapping", "the host swapped out " + gib(*findings.swap_growth_bytes) +
                                        " meanwhile; close other programs, or take a smaller "
                                        "model or batch"});
  }
  return warnings;
}

} // namespace sdbench
