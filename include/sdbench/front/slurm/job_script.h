#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/front/slurm/job_place.h"

namespace sdbench {

/// Settings that all jobs of one `sdbench slurm submit` share.
struct Submission {
  std::filesystem::path folder; ///< folder of the results, visible on all nodes
  /// Random text in the file folder/token, by which a job checks that its node sees this folder.
  std::string token;
  std::filesystem::path program; ///< the sdbench of an installed tree that all nodes can read
  /// The user's options for every job, written into its script and also passed to sbatch.
  std::vector<std::string> sbatch_options;
  std::string other_gres;               ///< the user's --gres, without its GPUs: "scratch:20G"
  std::vector<std::string> run_options; ///< options of sdbench run
  std::filesystem::path start_folder;   ///< working folder of the jobs; relative paths begin there
  bool exclusive = true;                ///< true: a job has its node to itself
  /// If true, a job waits for earlier jobs of its place, because they write the same file.
  bool in_turn = true;
  bool asks_for_memory = true; ///< true: scripts request memory if the user's options do not
  /// Command, shown to the user, that submits the jobs again to measure the missing rows.
  std::string again;
};

/// Environment variables to unset for sbatch, because they would override options in the scripts.
[[nodiscard]] std::vector<std::string> overriding_variables(const Submission& submission);

/// The variables to unset for the job that collects the results: those of overriding_variables(),
/// and the ones that request resources such as GPUs and processors.
[[nodiscard]] std::vector<std::string> collect_variables(const Submission& submission);

/// A job script for sbatch.
struct JobScript {
  std::string name; ///< base name of its files in the shared folder
  std::string text;
};

/// Makes the script of the job that runs the sweep at this place. Its body is
/// share/sdbench/slurm/job.sh.
[[nodiscard]] JobScript job_script(const Submission& submission, const JobPlace& place);

/// A job that Slurm has accepted.
struct QueuedJob {
  std::string number;
  std::string name; ///< the name of its script
};

/// The user's options without requests for resources that only the computing jobs need, such as
/// GPUs, processors and whole nodes.
[[nodiscard]] std::vector<std::string>
collect_options(const std::vector<std::string>& sbatch_options);

/// Makes the script of the job that starts after all of `jobs` have ended, successfully or not. It
/// merges the rows in the folder, compares them and makes the HTML page. Its body is
/// share/sdbench/slurm/collect.sh. For each job, it reads from jobs/NAME.state how the job ended.
/// That file also has lines of other submissions, so the script looks for the numbers of `jobs`.
[[nodiscard]] JobScript collect_script(const Submission& submission,
                                       const std::vector<QueuedJob>& jobs,
                                       const std::vector<std::string>& place_options);

/// Makes a shell script that does what `sdbench slurm submit` does: it creates the folder and
/// submits these scripts, `collect` last. If Slurm refuses a script, the jobs submitted before it
/// are cancelled. If the shell script itself is truncated, it does nothing. `collect` has no job
/// numbers yet; the shell script inserts them.
[[nodiscard]] std::string submitting_script(const Submission& submission,
                                            const std::vector<JobScript>& jobs,
                                            const JobScript& collect);

} // namespace sdbench
