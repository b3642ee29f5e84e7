#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/front/slurm/job_place.h"
#include "sdbench/front/slurm/job_script.h"

namespace sdbench {

/// `sdbench slurm submit`, understood.
struct SlurmArguments {
  JobPer per = JobPer::kNode;
  std::string partition; ///< empty: the default one
  std::string nodelist;  ///< as it was written; empty: all nodes
  std::filesystem::path folder;
  bool dry_run = false;
  std::vector<std::string> sbatch_options; ///< besides
  std::vector<std::string> run_options;
  bool exclusive = true; ///< no option says otherwise
  bool in_turn = true;   ///< jobs of one place; no option says otherwise
};

/// The word that --per takes.
[[nodiscard]] std::string name_of(JobPer per);

/// Parses what follows `slurm submit`. Nothing if --help was asked for, which is then on `out`.
/// Throws UsageError.
[[nodiscard]] std::optional<SlurmArguments>
parse_slurm_arguments(const std::vector<std::string>& arguments, std::ostream& out);

/// The shell command that submits the same sweep into the same folder. Its jobs measure only what
/// is missing there.
[[nodiscard]] std::string command_again(const SlurmArguments& asked, const Submission& submission);

} // namespace sdbench
