#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// The result of submitting a script to sbatch.
struct SubmittedJob {
  std::string number;  ///< the job's number in the queue; empty if unknown
  std::string failure; ///< why the submission must end; empty on success
};

/// Submits a script. `options` override the script's own; the given variables are removed from this
/// process's environment. Finds the job's number even if a site's sbatch prints other lines. Throws
/// Error if there is no sbatch.
[[nodiscard]] SubmittedJob submit_job(const std::filesystem::path& script,
                                      const std::vector<std::string>& options,
                                      const std::vector<std::string>& unset);

/// Cancels jobs; returns false on failure.
[[nodiscard]] bool cancel_jobs(const std::vector<std::string>& jobs);

} // namespace sdbench
