#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// The result of submitting a script to sbatch.
struct SubmittedJob {
  std::string number;  ///< Slurm's job id; empty if unknown
  std::string failure; ///< why sbatch failed (the caller then submits no more jobs); empty: success
};

/// Submits a script with sbatch. `options` override those in the script. The variables in `unset`
/// are first removed from this process's environment. Finds the job's number even if a cluster's
/// sbatch prints further lines. Throws Error if sbatch is not installed.
[[nodiscard]] SubmittedJob submit_job(const std::filesystem::path& script,
                                      const std::vector<std::string>& options,
                                      const std::vector<std::string>& unset);

/// Cancels the jobs with these numbers. Returns false on failure.
[[nodiscard]] bool cancel_jobs(const std::vector<std::string>& jobs);

} // namespace sdbench
