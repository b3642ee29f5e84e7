#pragma once

#include <string>

#include "sdbench/front/slurm/job_script.h"
#include "slurm_arguments.h"

namespace sdbench {

/// The shell command that submits the same into the same folder, where only what is missing is
/// measured.
[[nodiscard]] std::string command_again(const SlurmArguments& asked, const Submission& submission);

} // namespace sdbench
