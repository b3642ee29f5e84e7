#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// The Slurm job that this process belongs to. Empty if there is none or it is unknown.
struct SlurmJob {
  std::string id;            ///< "1234"
  std::string node;          ///< by Slurm's name, which need not be the host's
  std::string partition;     ///< of nodes, that the job was given to
  std::string sharing;       ///< "exclusive": it has the whole node; "shared": others may be there
  bool is_restarted = false; ///< it began before, and Slurm has queued it again
};

/// Reads the environment that Slurm gives to a job, and asks scontrol for `sharing`.
/// Sources: "OUTPUT ENVIRONMENT VARIABLES" in sbatch(1), OverSubscribe in scontrol(1).
[[nodiscard]] SlurmJob read_slurm_job();
/// The same, read only once.
[[nodiscard]] const SlurmJob& slurm_job();

/// Reads a job's line of `scontrol show job`: with OverSubscribe=NO no other job may share its
/// nodes.
[[nodiscard]] std::string node_sharing(std::string_view job_line);

} // namespace sdbench
