#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/front/slurm/job_place.h"

namespace sdbench {

/// Settings that all jobs of a submission share.
struct Submission {
  std::filesystem::path folder; ///< shared by all nodes
  std::string token; ///< content of the folder's file `token`, by which a node proves that it sees
                     ///< the folder
  std::filesystem::path program;           ///< sdbench, in an installed tree that nodes can read
  std::vector<std::string> sbatch_options; ///< the user's, for every job; also passed to sbatch
  std::string other_gres;                  ///< the user's, except GPUs: "scratch:20G"
  std::vector<std::string> run_options;    ///< of sdbench run
  std::filesystem::path start_folder;      ///< jobs start there; relative paths begin there
  bool exclusive = true;                   ///< a job has its node to itself
  bool in_turn = true; ///< a job waits for earlier ones of its place, which write the same file
  bool asks_for_memory = true; ///< unless the user's options do
  std::string again;           ///< command that submits what is still missing into the same folder
};

/// Variables that sbatch prefers to the options in the scripts, and which are therefore unset.
[[nodiscard]] std::vector<std::string> overriding_variables(const Submission& submission);

/// The same for the collecting job, plus variables that request GPUs, processors and so on.
[[nodiscard]] std::vector<std::string> collect_variables(const Submission& submission);

/// A script for sbatch.
struct JobScript {
  std::string name; ///< base name of its files in the shared folder
  std::string text;
};

/// The script of one job's sweep. Its body is share/sdbench/slurm/job.sh.
[[nodiscard]] JobScript job_script(const Submission& submission, const JobPlace& place);

/// A job that Slurm has taken.
struct QueuedJob {
  std::string number;
  std::string name; ///< its script's
};

/// The user's options without requests for GPUs, processors, whole nodes and so on.
[[nodiscard]] std::vector<std::string>
collect_options(const std::vector<std::string>& sbatch_options);

/// The job that runs once all of `jobs` have ended, successfully or not. It joins the rows of the
/// folder, compares them and makes the page. Its body is share/sdbench/slurm/collect.sh. Job
/// numbers separate its jobs' traces from those of other submissions.
[[nodiscard]] JobScript collect_script(const Submission& submission,
                                       const std::vector<QueuedJob>& jobs,
                                       const std::vector<std::string>& place_options);

/// A shell script that does what `sdbench slurm submit` does: makes the folder and submits these
/// scripts, `collect` last. If a script is refused or the shell script is truncated, it submits
/// nothing. `collect` has no job numbers yet: the shell script fills them in.
[[nodiscard]] std::string submitting_script(const Submission& submission,
                                            const std::vector<JobScript>& jobs,
                                            const JobScript& collect);

} // namespace sdbench
