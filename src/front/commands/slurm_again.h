#pragma once

#include <string>

#include "sdbench/front/options/slurm_arguments.h"
#include "sdbench/front/slurm/job_script.h"

namespace sdbench {

/// The shell command that submits the same sweep into the same folder. Its jobs measure only what
/// is missing there.
[[nodiscard]] std::string command_again(const SlurmArguments& asked, const Submission& submission);

} // namespace sdbench
