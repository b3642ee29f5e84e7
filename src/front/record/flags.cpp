#include "sdbench/front/record/flags.h"

#include <algorithm>
#include <utility>

#include "sdbench/front/telemetry/suspended.h"

namespace sdbench {

bool holds_flag(std::string_view flags, std::string_view flag) {
  while (!flags.empty()) {
    const std::string_view word = flags.substr(0, flags.find(' '));
    if (word == flag) {
      return true;
    }
    flags.remove_prefix(std::min(flags.size(), word.size() + 1));
  }
  return false;
}

bool has_flag(const RunRecord& record, std::string_view flag) {
  return holds_flag(record.flags, flag);
}

bool is_whole_by(std::string_view flags) {
  constexpr std::string_view kNotWhole[] = {"partial", "partner_lost", kSuspended};
  return std::ranges::none_of(kNotWhole,
                              [&](std::string_view flag) { return holds_flag(flags, flag); });
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
      {"noisy",
       "the mean is not sure: its 95 % interval reaches beyond 5 %, or --max-noise was not "
       "reached"},
      {"outliers", "some steps or runs lie far from the others; they are in every figure"},
      {"drift", "steps grew slower from the first to the last"},
      {"partial", "no timed run was finished"},
      {"cold", "the timed run was the first one, for which nothing was warm: a single epoch"},
      {"slow_load",
       "the weights came from their file at under 50 MiB/s: look at the file system they lie on"},
      {"allocating",
       "device memory was taken from the driver within the timed runs, which waits for the device"},
      {"kernels_not_kept",
       "GPU kernels were compiled and could not be kept: each process compiles them anew, which is "
       "in prepare_s"},
      {"partner_lost",
       "another device of the parallel execution failed or ended earlier: some of the runs were "
       "made without it"},
      {"gpu_unusable",
       "the cell could have had a GPU and a driver is here, but CUDA could not use it: it ran on "
       "the CPU"},
      {kContradicts, "its columns or raw times say otherwise: it is in no figure"},
      // telemetry
      {"foreign_process", "another process computed on the GPU"},
      {kSuspended, "the machine was suspended meanwhile: in no verdict"},
      {"held_up", "sdbench itself stood still meanwhile: no energy is told"},
      {"busy", "other programs or machines had some of the processors meanwhile"},
      {"throttled",
       "heat or power slowed the device down: its reasons say so, or steps grew slower as it grew "
       "warmer"},
      {"power_capped", "the power limit held the GPU's clocks down"},
      {"gpu_lost", "the GPU stopped answering"},
      {"energy_unsure", "the GPU's energy counter and its power over time tell two energies"},
      {"slow_link", "the GPU's PCI Express link was slower than GPU and slot allow"},
      {"display_attached", "the GPU also drew"},
      {"split_gpu", "the GPU is split into instances: power, energy, memory and clocks that the "
                    "sensors tell are "
                    "of all of them"},
      {"spilling", "the GPU's memory was full, and the driver moved data to the host's"},
      {"swapping", "the host swapped meanwhile"},
      {"battery", "the machine ran on its battery"},
      {"power_saving", "the processor's clocks were held low"},
  };
  for (const auto& [name, text] : kTexts) {
    if (name == flag) {
      return text;
    }
  }
  return {};
}

} // namespace sdbench
