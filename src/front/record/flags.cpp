#include "sdbench/front/record/flags.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sdbench/base/text/listed.h"
#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/suspended.h"

namespace sdbench {

bool holds_flag(std::string_view flags, std::string_view flag) {
  return std::ranges::count(split(flags, ' '), flag) > 0;
}

bool has_flag(const RunRecord& record, std::string_view flag) {
  return holds_flag(record.flags, flag);
}

const SpoilingFlag* spoiling_flag(std::string_view flags) {
  static constexpr SpoilingFlag kSpoiling[] = {
      {kSuspended, "the machine was suspended"},
      {kGpuLost, "the GPU stopped answering"},
      {kXid, "the GPU's driver reported an error (Xid)"},
      {kMachineChanged, "the device itself changed its speed during the sweep"},
  };
  const auto* const found = std::ranges::find_if(
      kSpoiling, [&](const SpoilingFlag& flag) { return holds_flag(flags, flag.name); });
  return found == std::end(kSpoiling) ? nullptr : found;
}

bool is_whole_by(std::string_view flags) {
  return !holds_flag(flags, "partial") && !holds_flag(flags, "partner_lost") &&
         spoiling_flag(flags) == nullptr;
}

std::string with_flag(std::string_view flags, std::string_view flag) {
  std::string all(flags);
  if (!holds_flag(flags, flag)) {
    all.append(all.empty() ? "" : " ").append(flag);
  }
  return all;
}

void add_flag(RunRecord& record, std::string_view flag) {
  record.flags = with_flag(record.flags, flag);
}

std::string_view flag_text(std::string_view flag) {
  // docs/measuring.md and docs/telemetry.md have the rules behind them.
  constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
      {"noisy", "the mean is uncertain: its 95 % interval is wider than ±5 %, or --max-noise was "
                "not reached"},
      {"outliers", "some steps or runs are far from the others; they stay in every figure"},
      {"drift", "steps became slower from the first to the last"},
      {"partial", "no timed run was finished"},
      {"cold", "the only timed run is a single epoch, before which nothing was warmed up"},
      {"slow_load", "weights were read from their file at under 50 MiB/s: check the file system "
                    "that holds them"},
      {"allocating", "in the timed runs, device memory was requested from the driver, which waits "
                     "for the device"},
      {"kernels_not_kept", "compiled GPU kernels could not be saved: each process compiles them "
                           "again, as part of prepare_s"},
      {"partner_lost", "another device of the parallel execution failed or ended earlier: some "
                       "runs were made without it"},
      {"gpu_unusable",
       "there is a GPU driver, but CUDA could not use the GPU, so the cell ran on the CPU"},
      {kContradicts,
       "the row's columns or raw times contradict each other: it is left out of all figures"},
      // telemetry
      {"foreign_process", "another process computed on the GPU"},
      {kSuspended, "the machine was suspended during the cell: no verdict uses the row"},
      {"held_up", "sdbench itself was stopped for some time: the row has no energy"},
      {"busy", "other programs or virtual machines used the processors, too"},
      {"throttled", "heat or power slowed the device down: NVML's reasons say so, or steps became "
                    "slower as it became warmer"},
      {"power_capped", "the power limit reduced the GPU's clocks"},
      {kGpuLost, "the GPU stopped answering: no verdict uses the row"},
      {kXid, "the GPU's driver reported an error (Xid): no verdict uses the row"},
      {kMachineChanged, "probes say that the device itself changed its speed by over 3 % during "
                        "the sweep: no verdict uses the row"},
      {"energy_unsure", "the GPU's energy counter and its power over time give different energies"},
      {"slow_link", "the GPU's PCI Express link was slower than GPU and slot support"},
      {"display_attached", "the GPU also draws, for a display or other processes"},
      {"split_gpu", "the GPU is a part of a card (MIG, vGPU): power, energy, memory and clocks "
                    "may be those of the whole card"},
      {"spilling", "the GPU's memory was full, and the driver moved data to the host's memory (in "
                   "WSL2: may have moved)"},
      {"swapping", "the host swapped during the cell"},
      {"battery", "the machine ran on its battery"},
      {"power_saving", "the system kept the processor's clocks low"},
  };
  for (const auto& [name, text] : kTexts) {
    if (name == flag) {
      return text;
    }
  }
  return {};
}

} // namespace sdbench
