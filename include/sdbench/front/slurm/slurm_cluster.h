#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/front/slurm/slurm_node.h"

namespace sdbench {

/// What sinfo says of a partition.
struct ClusterNodes {
  std::vector<SlurmNode> all;
  std::vector<SlurmNode> wanted;   ///< those of the list that take jobs; at least one
  std::vector<SlurmNode> left_out; ///< those of the list that take none
};

/// Of `partition` ("gpu" or "gpu,cpu"; empty: the default one), and there of the hosts that
/// `nodelist` names ("node[1-4],node7"; empty: all). Throws Error where there is no Slurm, it does
/// not answer, or no node is left.
[[nodiscard]] ClusterNodes cluster_nodes(const std::string& partition, const std::string& nodelist);

/// Submits a script, with `options` before all that it says itself, and without these variables,
/// which the process then has no more; its number. Throws Error with sbatch's words where it is
/// refused.
[[nodiscard]] std::string submit_job(const std::filesystem::path& script,
                                     const std::vector<std::string>& options,
                                     const std::vector<std::string>& unset);

/// Takes jobs out of the queue; false: that could not be done.
[[nodiscard]] bool cancel_jobs(const std::vector<std::string>& jobs);

} // namespace sdbench
