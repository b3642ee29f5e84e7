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

/// The names of an option of sbatch.
struct SbatchOption {
  std::string_view name;
  std::string_view letter; ///< "-N"; empty if there is no short form
};

/// Options for the number of GPUs; sbatch refuses two that disagree.
inline constexpr std::array<SbatchOption, 5> kGpuCounts{{{"--gres", ""},
                                                         {"--gpus", "-G"},
                                                         {"--gpus-per-node", ""},
                                                         {"--gpus-per-socket", ""},
                                                         {"--gpus-per-task", ""}}};

/// True if the name of a word ("--tim" of "--tim=5") is this option's. sbatch also accepts a unique
/// beginning. --time, --mem, --gpus and --gres must be whole, because they begin other names
/// (--time-min, --mem-bind, --gpus-per-node, --gres-flags).
[[nodiscard]] bool is_name_of(std::string_view name, const SbatchOption& option);

/// True if the option is among the words of a command line, with or without a value.
[[nodiscard]] bool is_given(const SbatchOption& option, const std::vector<std::string>& words);

/// True if the next word of a command line may be this option's value: false if the value is joined
/// to the option, or if the option is known to have no value.
[[nodiscard]] bool may_take_next_word(std::string_view option);

/// The option's last value, which is the one that sbatch uses: "--time=5", "--time 5", "-t5", "-t
/// 5".
[[nodiscard]] std::optional<std::string> value_given(const SbatchOption& option,
                                                     const std::vector<std::string>& words);

/// The words without these options and their values.
[[nodiscard]] std::vector<std::string> without_options(const std::vector<std::string>& words,
                                                       std::span<const SbatchOption> options);

/// True if these words say how many GPUs a job has.
[[nodiscard]] bool count_gpus(const std::vector<std::string>& words);

/// GPUs of one kind that an option asks for.
struct GpusAsked {
  std::string option; ///< "--gpus"
  std::string text;   ///< its value
  GpuKind kind;
};

/// The GPUs that the words request for the job, or for a task, socket or node.
[[nodiscard]] std::vector<GpusAsked> gpus_asked(const std::vector<std::string>& words);

/// The processors of a task in --tres-per-task: "4" of "cpu:4,license/x:1".
/// nullopt if the option does not name processors.
[[nodiscard]] std::optional<std::string>
cpus_of_tres_per_task(const std::vector<std::string>& words);

/// The megabytes of "4G", "4GB", "512M" or "9000", as --mem takes them. Nothing for another form.
[[nodiscard]] std::optional<std::int64_t> memory_mb_of(std::string_view text);

} // namespace sdbench
