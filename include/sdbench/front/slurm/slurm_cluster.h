#pragma once

#include <string>
#include <vector>

#include "sdbench/front/slurm/slurm_node.h"
#include "sdbench/front/slurm/slurm_partition.h"

namespace sdbench {

/// The nodes of a partition as sinfo reports them.
struct ClusterNodes {
  std::vector<SlurmNode> all;
  std::vector<SlurmNode> wanted;   ///< those of the list that take jobs; at least one
  std::vector<SlurmNode> left_out; ///< those of the list that take none
};

/// Of `partition` ("gpu" or "gpu,cpu"; empty: the default one), and there of the hosts that
/// `nodelist` names ("node[1-4],node7"; empty: all). Throws Error where there is no Slurm, it does
/// not answer, or no node is left. `has_reservation`: jobs may begin on nodes that are kept for
/// one.
[[nodiscard]] ClusterNodes cluster_nodes(const std::string& partition, const std::string& nodelist,
                                         bool has_reservation);

/// The same partitions as scontrol reports them; empty if it reports nothing.
[[nodiscard]] std::vector<SlurmPartition> cluster_partitions(const std::string& partition);

} // namespace sdbench
