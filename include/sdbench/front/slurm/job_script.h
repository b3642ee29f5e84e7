#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/front/slurm/job_place.h"

namespace sdbench {

/// What all jobs of a submission have in common.
struct Submission {
  std::filesystem::path folder;            ///< shared by all nodes
  std::string token;                       ///< in its file `token`: a node that reads it sees it
  std::filesystem::path program;           ///< sdbench, in an installed tree that nodes see
  std::vector<std::string> sbatch_options; ///< the user's, for every job; sbatch gets them, too
  std::string other_gres;                  ///< the user's, none of GPUs: "scratch:20G"
  std::vector<std::string> run_options;    ///< of sdbench run
  std::filesystem::path start_folder;      ///< in which jobs start, so that paths are of it
  bool exclusive = true;                   ///< a job has its node for itself
  bool in_turn = true; ///< a job waits for earlier ones of its place, which write the same file
  bool asks_for_memory = true; ///< unless the user's options do
  std::string again; ///< the command that submits into the same folder what is still missing
};

/// Variables that sbatch would put above what the scripts say: unset, they change nothing of it.
[[nodiscard]] std::vector<std::string> overriding_variables(const Submission& submission);

/// The same of the job that collects, with those that ask for what computes.
[[nodiscard]] std::vector<std::string> collect_variables(const Submission& submission);

/// A script for sbatch.
struct JobScript {
  std::string name; ///< of its files in the shared folder
  std::string text;
};

/// The sweep of one job. Its body is share/sdbench/slurm/job.sh.
[[nodiscard]] JobScript job_script(const Submission& submission, const JobPlace& place);

/// A job that Slurm has taken.
struct QueuedJob {
  std::string number;
  std::string name; ///< its script's
};

/// The user's options without those for what computes: GPUs, processors, whole nodes, and more.
[[nodiscard]] std::vector<std::string>
collect_options(const std::vector<std::string>& sbatch_options);

/// The job that comes when all of `jobs` have ended, however: it joins the rows of the folder,
/// compares them and makes the page. Its body is share/sdbench/slurm/collect.sh. By their numbers
/// it tells the traces of its jobs from those of other submissions.
[[nodiscard]] JobScript collect_script(const Submission& submission,
                                       const std::vector<QueuedJob>& jobs,
                                       const std::vector<std::string>& place_options);

/// A shell script that does what `sdbench slurm submit` does: makes the folder, and submits these
/// scripts, the last one behind the others; all or, where one is refused or the script was cut,
/// none. `collect` has no jobs: the shell script puts them in.
[[nodiscard]] std::string submitting_script(const Submission& submission,
                                            const std::vector<JobScript>& jobs,
                                            const JobScript& collect);

} // namespace sdbench
