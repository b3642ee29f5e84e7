#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/slurm/slurm_node.h"

namespace sdbench {

/// Long and short name of an sbatch option.
struct SbatchOption {
  std::string_view name;
  std::string_view letter; ///< "-N"; empty: no short form
};

/// Options that set the number of GPUs. sbatch refuses a job if they contradict each other.
inline constexpr std::array<SbatchOption, 5> kGpuCounts{{{"--gres", ""},
                                                         {"--gpus", "-G"},
                                                         {"--gpus-per-node", ""},
                                                         {"--gpus-per-socket", ""},
                                                         {"--gpus-per-task", ""}}};

/// True if `name`, a word without "=VALUE", means this option. sbatch also accepts the beginning of
/// a name: "--tim" means --time. But --time, --mem, --gpus and --gres count as complete names:
/// --time does not mean --time-min.
[[nodiscard]] bool is_name_of(std::string_view name, const SbatchOption& option);

/// True if the option is among the words of a command line, with or without a value.
[[nodiscard]] bool is_given(const SbatchOption& option, const std::vector<std::string>& words);

/// True if the next word of the command line may be this option's value. False if the option
/// already includes its value, or is known to take no value.
[[nodiscard]] bool may_take_next_word(std::string_view option);

/// The option's last value on the command line, which is the one that sbatch uses. Understands
/// "--time=5", "--time 5", "-t5" and "-t 5".
[[nodiscard]] std::optional<std::string> value_given(const SbatchOption& option,
                                                     const std::vector<std::string>& words);

/// The words without these options and their values.
[[nodiscard]] std::vector<std::string> without_options(const std::vector<std::string>& words,
                                                       std::span<const SbatchOption> options);

/// True if these words set the number of GPUs of a job.
[[nodiscard]] bool count_gpus(const std::vector<std::string>& words);

/// GPUs of one kind that an option requests.
struct GpusAsked {
  std::string option; ///< "--gpus"
  std::string text;   ///< value of the option
  GpuKind kind;
};

/// All GPUs that the words request, per job, task, socket or node.
[[nodiscard]] std::vector<GpusAsked> gpus_asked(const std::vector<std::string>& words);

/// The number of processors in the value of --tres-per-task: "4" in "cpu:4,license/x:1". nullopt if
/// the option is missing or names no processors.
[[nodiscard]] std::optional<std::string>
cpus_of_tres_per_task(const std::vector<std::string>& words);

/// Converts an amount of memory in the forms of --mem ("4G", "4GB", "512M" or "9000") to megabytes.
/// nullopt for any other form.
[[nodiscard]] std::optional<std::int64_t> memory_mb_of(std::string_view text);

} // namespace sdbench
