#pragma once

#include <string>
#include <vector>

#include "sdbench/front/machine/program_output.h"

namespace sdbench {

/// Removes environment variables that change what Slurm's programs read, print or cancel, such as
/// SINFO_PARTITION, SCANCEL_STATE and SLURM_CLUSTERS. Affects this process. Call it before the
/// process starts the first of these programs.
void forget_slurm_variables();

/// Arguments of the shell command `unset`: the variables that forget_slurm_variables() removes.
[[nodiscard]] std::string unset_words();

/// Runs one of Slurm's programs to its end. Throws Error if it is not installed or cannot be
/// started, ProgramTooSlow if it does not answer.
[[nodiscard]] ProgramOutput slurm_answer(std::vector<std::string> command);

/// One line for a program that failed: what it must do (`wanted`, such as "tell the nodes"), and
/// what it says instead.
[[nodiscard]] std::string refusal_words(const std::string& program, const std::string& wanted,
                                        const ProgramOutput& answer);

} // namespace sdbench
