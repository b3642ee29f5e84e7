#pragma once

#include <string>

#include "sdbench/front/options/slurm_arguments.h"
#include "sdbench/front/slurm/job_script.h"

namespace sdbench {

/// The shell command that submits the same into the same folder, where only what is missing is
/// measured.
[[nodiscard]] std::string command_again(const SlurmArguments& asked, const Submission& submission);

} // namespace sdbench
