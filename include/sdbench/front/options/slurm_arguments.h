#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/front/slurm/job_place.h"
#include "sdbench/front/slurm/job_script.h"

namespace sdbench {

/// The parsed arguments of `sdbench slurm submit`.
struct SlurmArguments {
  JobPer per = JobPer::kNode;
  std::string partition; ///< empty: Slurm's default partition
  std::string nodelist;  ///< as typed; empty: all nodes
  std::filesystem::path folder;
  bool dry_run = false;
  std::vector<std::string> sbatch_options; ///< further options for sbatch
  std::vector<std::string> run_options;
  /// True if each job gets its nodes for itself alone. True by default, except with --per gpu;
  /// sbatch options may override this.
  bool exclusive = true;
  /// True if sdbench makes jobs for the same place (node or GPU) run one after the other. It does
  /// so by --job-name and --dependency; false if the user's sbatch options have either of them.
  bool in_turn = true;
};

/// The value of --per: "node", "type" or "gpu".
[[nodiscard]] std::string name_of(JobPer per);

/// Parses the arguments after `slurm submit`. Returns nullopt after --help, whose output it writes
/// to `out`. Throws UsageError.
[[nodiscard]] std::optional<SlurmArguments>
parse_slurm_arguments(const std::vector<std::string>& arguments, std::ostream& out);

/// The shell command that submits the sweep of `submission` again, into its folder. The new jobs
/// measure only the cells whose rows the folder lacks.
[[nodiscard]] std::string command_again(const SlurmArguments& asked, const Submission& submission);

} // namespace sdbench
