#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// The Slurm job that this process belongs to. Outside a job all fields are empty. An unknown field
/// is also empty.
struct SlurmJob {
  std::string id;        ///< "1234"
  std::string node;      ///< Slurm's name of the node, which may differ from the host name
  std::string partition; ///< partition (group of nodes) in which the job runs
  /// "exclusive": the job has the whole node; "shared": other jobs may run on it.
  std::string sharing;
  bool is_restarted = false; ///< Slurm has requeued the job after an earlier start
};

/// Reads the environment that Slurm gives to a job, and asks scontrol for `sharing`.
/// Sources: "OUTPUT ENVIRONMENT VARIABLES" in sbatch(1), OverSubscribe in scontrol(1).
[[nodiscard]] SlurmJob read_slurm_job();
/// The result of read_slurm_job(), computed once and kept.
[[nodiscard]] const SlurmJob& slurm_job();

/// The value of SlurmJob::sharing, from a job's line in `scontrol show job`. It is "exclusive" for
/// OverSubscribe=NO, "shared" for other values, and empty if the line has no OverSubscribe.
[[nodiscard]] std::string node_sharing(std::string_view job_line);

} // namespace sdbench
