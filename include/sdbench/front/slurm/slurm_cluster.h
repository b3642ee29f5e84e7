#pragma once

#include <string>
#include <vector>

#include "sdbench/front/slurm/slurm_node.h"
#include "sdbench/front/slurm/slurm_partition.h"

namespace sdbench {

/// The nodes of a partition as sinfo reports them.
struct ClusterNodes {
  std::vector<SlurmNode> all;
  std::vector<SlurmNode> wanted;   ///< nodes of the list that take jobs; at least one
  std::vector<SlurmNode> left_out; ///< nodes of the list that take no jobs
};

/// The nodes of `partition` ("gpu" or "gpu,cpu"; empty: the default one) that `nodelist` names
/// ("node[1-4],node7"; empty: all). Throws Error if Slurm is missing or does not answer, or if no
/// node is left. `has_reservation`: jobs may begin on reserved nodes.
[[nodiscard]] ClusterNodes cluster_nodes(const std::string& partition, const std::string& nodelist,
                                         bool has_reservation);

/// The same partitions as scontrol reports them; empty if it reports nothing.
[[nodiscard]] std::vector<SlurmPartition> cluster_partitions(const std::string& partition);

} // namespace sdbench
