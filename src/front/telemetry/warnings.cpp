#include "sdbench/front/telemetry/warnings.h"

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/suspended.h"

namespace sdbench {
namespace {

/// Smaller changes of the host's memory also occur on an idle machine.
constexpr std::int64_t kNoticeableBytes = std::int64_t{256} << 20;
/// About half a second of an SSD's single-page reads. Swap in use is no measure: a small machine
/// that thrashes moves the same pages in and out, and a large one swaps out pages that are never
/// needed.
constexpr std::int64_t kNoticeableSwap = std::int64_t{64} << 20;

constexpr double kPercent = 100;
/// Sensors report whole degrees: at a steady temperature, the means of the two halves may differ by
/// a little over half a degree.
constexpr double kWarmerByC = 1;
/// Share of the samples. One sample more or less with a reason is not a trend.
constexpr double kHeldBackMoreBy = 0.1;

/// Ratio. Time between runs and message delays stay below it.
constexpr double kHeldUpBeyond = 1.25;
constexpr double kHeldUpSeconds = 1;
/// No machine resumes sooner. Less may be due to reading two clocks one after the other.
constexpr double kSuspendedSeconds = 0.1;

std::string share_text(double share) {
  return significant_text(kPercent * share, 2) + " % of the samples";
}

/// " of 450 W"; empty if the limit is unknown.
std::string limit_text(const GpuFacts* gpu) {
  return gpu != nullptr && gpu->power_limit_w
             ? " of " + significant_text(*gpu->power_limit_w) + " W"
             : "";
}

/// Names what rose while the steps grew slower. Empty if nothing rose or the steps did not slow
/// down.
std::string what_rose(const CellFindings& findings) {
  const TelemetrySummary& measured = *findings.measured;
  const auto warmer =
      findings.gpu != nullptr ? measured.temperature_rise_c : measured.cpu_temperature_rise_c;
  if (!findings.drift) {
    return {};
  }
  if (measured.held_back_rise > kHeldBackMoreBy) {
    return "its clocks were held down more and more often (" +
           throttle_reason_names(measured.throttle_reasons.value_or(0)) + ")";
  }
  return warmer.value_or(0) > kWarmerByC
             ? "it grew warmer (by " + significant_text(*warmer, 2) + " degC between the halves)"
             : "";
}

void warn_of_throttling(std::vector<Warning>& warnings, const CellFindings& findings) {
  const TelemetrySummary& measured = *findings.measured;
  const std::string slower =
      findings.drift ? "steps grew " + significant_text(kPercent * *findings.drift, 2) + " % slower"
                     : "";
  const std::string remedy =
      "; see to its cooling and its power supply, or leave pauses with --cooldown";
  if (measured.throttled_share > 0) {
    const std::string reasons =
        throttle_reason_names(measured.throttle_reasons.value_or(0) & kThrottledBits);
    warnings.push_back({"throttled", "the GPU slowed itself down in " +
                                         share_text(measured.throttled_share) + " (" + reasons +
                                         ")" + (slower.empty() ? "" : ", " + slower) + remedy});
  } else if (findings.gpu == nullptr && measured.thermal_events.value_or(0) > 0) {
    warnings.push_back({"throttled", "the processor slowed itself down: its thermal counters rose "
                                     "by " +
                                         number_text(*measured.thermal_events) +
                                         (slower.empty() ? "" : ", " + slower) + remedy});
  } else if (const std::string rose = what_rose(findings); !rose.empty()) {
    warnings.push_back({"throttled", slower + " while " + rose + ": the " +
                                         (findings.gpu != nullptr ? "GPU" : "processor") +
                                         " seems to slow itself down" + remedy});
  }
}

/// Drawing a desktop takes little of a GPU, and users do not stop it for a benchmark. The warning
/// therefore names a display, not another process that computes.
void warn_of_company(std::vector<Warning>& warnings, const GpuFacts* gpu,
                     const GpuProcesses* processes) {
  const bool seen = processes != nullptr && processes->seen;
  if (seen && !processes->others.empty()) {
    warnings.push_back(
        {"foreign_process", "another process computes on this GPU: " + joined(processes->others) +
                                "; end it, or take another GPU with --device"});
  }
  const std::string drawing = seen ? joined(processes->drawing) : "";
  const bool has_display = gpu != nullptr && gpu->display_active.value_or(false);
  if (!has_display && drawing.empty()) {
    return;
  }
  warnings.push_back({"display_attached",
                      (has_display ? "a display is attached to this GPU, which also draws it"
                                   : "this GPU also draws") +
                          (drawing.empty() ? "" : " (" + drawing + ")") +
                          "; for steady figures use a GPU without a display, or log out of the "
                          "desktop"});
}

void warn_of_two_energies(std::vector<Warning>& warnings, const TelemetrySummary& measured) {
  constexpr double kNoticeableGap = 0.25;
  if (measured.energy_gap.value_or(0) > kNoticeableGap) {
    warnings.push_back(
        {"energy_unsure", "the GPU's energy counter and its power over the same time differ by " +
                              significant_text(kPercent * *measured.energy_gap, 2) +
                              " %; energy_j is the counter's, so compare energies of this GPU "
                              "with a meter's at the plug before you believe them"});
  }
}

Warning xid_warning(const Xids& xids) {
  std::string text = "the GPU's driver reported " + counted(xids.count, "error");
  if (xids.last) {
    text += " (Xid " + std::to_string(*xids.last) + ")";
  }
  return {std::string(kXid), text +
                                 " during this cell: verdicts leave the row out; look the number "
                                 "up in NVIDIA's list of Xid errors, and see the kernel's log"};
}

/// Only a link that is slow under load is a fault: idle GPUs slow it down to save power.
void warn_of_slow_link(std::vector<Warning>& warnings, const CellFindings& findings) {
  const TelemetrySummary& measured = *findings.measured;
  const auto text = [](double generation, double width) {
    return "generation " + number_text(generation) + " x" + number_text(width);
  };
  if (findings.gpu == nullptr || !findings.gpu->pcie_generation || !findings.gpu->pcie_width ||
      !measured.pcie_generation.max || !measured.pcie_width.max) {
    return;
  }
  const auto best_generation = static_cast<double>(*findings.gpu->pcie_generation);
  const auto best_width = static_cast<double>(*findings.gpu->pcie_width);
  if (*measured.pcie_generation.max < best_generation || *measured.pcie_width.max < best_width) {
    warnings.push_back(
        {"slow_link", "the GPU's PCI Express link was " +
                          text(*measured.pcie_generation.max, *measured.pcie_width.max) +
                          " under load, but GPU and slot can do " +
                          text(best_generation, best_width) +
                          "; look for power saving of the link (ASPM) in the firmware, and reseat "
                          "the card or its riser"});
  }
}

} // namespace

std::string describe(const GpuProcesses& processes) {
  const auto draws = [](const std::string& process) { return process + " draws"; };
  const std::string list =
      joined({joined(processes.others), joined(mapped(processes.drawing, draws))});
  return !processes.seen ? "unknown" : list.empty() ? "none" : list;
}

std::vector<Warning> setup_warnings(const MachineState& machine, const GpuFacts* gpu,
                                    const GpuProcesses* processes) {
  std::vector<Warning> warnings;
  warn_of_company(warnings, gpu, processes);
  if (gpu != nullptr && is_part_of_card(*gpu)) {
    const std::string what =
        gpu->mig == "on" ? "this GPU is split into instances (MIG)"
                         : "this GPU is a part of a card that virtual machines share (vGPU)";
    warnings.push_back({"split_gpu", what + ": the sensors' values (power, energy, memory, clocks) "
                                            "may be those of the whole card, all its parts "
                                            "together; for figures of this work alone, leave the "
                                            "other parts idle"});
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

Warning busy_warning(const OthersShare& others, const std::string& programs,
                     const std::string& sharing) {
  const bool by_programs = others.foreign_cores >= others.steal_cores;
  const char* const advice =
      !by_programs          ? "a dedicated machine does not share them"
      : sharing == "shared" ? "other jobs may be on this node: sbatch --exclusive keeps them away"
      : sharing == "exclusive" ? "this job has the node for itself, so Slurm did not start them: "
                                 "tell the node's administrator"
                               : "end them, or let --wait-quiet SECONDS wait for them";
  return {"busy", "the machine is busy: " + busy_words(others, programs) + "; " + advice};
}

bool was_held_up(const CellFindings& findings) {
  return findings.runs_s &&
         findings.measured->seconds > kHeldUpBeyond * *findings.runs_s + kHeldUpSeconds;
}

bool was_suspended(const CellFindings& findings) {
  return findings.suspended_s > kSuspendedSeconds;
}

std::vector<Warning> cell_warnings(const CellFindings& findings) {
  const TelemetrySummary& measured = *findings.measured;
  std::vector<Warning> warnings;
  if (!findings.gpu_problem.empty()) {
    warnings.push_back({std::string(kGpuLost),
                        "the GPU stopped answering during this cell (" + findings.gpu_problem +
                            "): verdicts leave the row out; look into the kernel's log for Xid, "
                            "and reset it"});
  }
  if (findings.xids && findings.xids->count > 0) {
    warnings.push_back(xid_warning(*findings.xids));
  }
  if (was_suspended(findings)) {
    warnings.push_back(
        {std::string(kSuspended),
         "the machine was suspended for " + significant_text(findings.suspended_s) +
             " s within this cell: no energy is reported, and verdicts leave the row out; run it "
             "again with the lid open, or under: systemd-inhibit --what=sleep"});
  }
  if (was_held_up(findings)) {
    warnings.push_back({"held_up", "sdbench itself was stopped while the worker measured (by a "
                                   "signal, or by a terminal that took no text?): the sensors "
                                   "recorded " +
                                       significant_text(measured.seconds) +
                                       " s, but the runs took " +
                                       significant_text(*findings.runs_s) +
                                       " s, so no energy is reported; speeds are not affected"});
  }
  if (!was_suspended(findings) && !was_held_up(findings)) { // both leave energies empty
    warn_of_two_energies(warnings, measured);
  }
  if (findings.others) {
    warnings.push_back(
        busy_warning(*findings.others, findings.other_programs, findings.slurm_sharing));
  }
  warn_of_throttling(warnings, findings);
  if (measured.power_capped_share > 0) {
    warnings.push_back({"power_capped", "the power limit" + limit_text(findings.gpu) +
                                            " held the GPU's clocks down in " +
                                            share_text(measured.power_capped_share) +
                                            "; compare only with runs at the same limit"});
  }
  if (findings.spilled_bytes.value_or(0) > kNoticeableBytes) {
    warnings.push_back({"spilling", "the GPU's memory is full and the host's grew by " +
                                        bytes_text(*findings.spilled_bytes) +
                                        ": the driver seems to move data there, which is slow; "
                                        "take a smaller batch or size"});
  } else if (findings.in_wsl && findings.spilled_bytes) {
    warnings.push_back({"spilling", "the GPU's memory is full, and in WSL2 the driver may move "
                                    "data to Windows' memory, which is slow; see whether \"Shared "
                                    "GPU memory\" in Windows' task manager grows, or take a "
                                    "smaller batch or size"});
  }
  warn_of_slow_link(warnings, findings);
  if (findings.swap_traffic_bytes.value_or(0) > kNoticeableSwap) {
    warnings.push_back({"swapping", "the host moved " + bytes_text(*findings.swap_traffic_bytes) +
                                        " to swap and back meanwhile; close other programs, or "
                                        "take a smaller model or batch"});
  }
  return warnings;
}

} // namespace sdbench
