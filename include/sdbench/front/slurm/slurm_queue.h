#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// What has become of a script that was given to sbatch.
struct SubmittedJob {
  std::string number;  ///< of the job in the queue; empty: none is known
  std::string failure; ///< why the submission is to end; empty: all is well
};

/// Submits a script, with `options` before all that it says itself, and without these variables,
/// which the process then has no more. A site's sbatch may print lines of its own around the
/// number. Throws Error where there is no sbatch.
[[nodiscard]] SubmittedJob submit_job(const std::filesystem::path& script,
                                      const std::vector<std::string>& options,
                                      const std::vector<std::string>& unset);

/// Takes jobs out of the queue; false: that could not be done.
[[nodiscard]] bool cancel_jobs(const std::vector<std::string>& jobs);

} // namespace sdbench
