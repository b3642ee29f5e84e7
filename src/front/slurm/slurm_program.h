#pragma once

#include <string>
#include <vector>

#include "sdbench/front/machine/program_output.h"

namespace sdbench {

/// Runs one of Slurm's programs to its end. Throws Error where it is not there or cannot be
/// started, ProgramTooSlow where it does not answer.
[[nodiscard]] ProgramOutput slurm_answer(std::vector<std::string> command);

/// What the program must do ("tell the nodes"), and what it says instead, in one line.
[[nodiscard]] std::string refusal_words(const std::string& program, const std::string& wanted,
                                        const ProgramOutput& answer);

} // namespace sdbench
