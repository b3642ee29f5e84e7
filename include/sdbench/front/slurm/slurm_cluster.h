#pragma once

#include <string>
#include <vector>

#include "sdbench/front/slurm/slurm_node.h"
#include "sdbench/front/slurm/slurm_partition.h"

namespace sdbench {

/// The nodes of a partition as sinfo reports them.
struct ClusterNodes {
  std::vector<SlurmNode> all;
  std::vector<SlurmNode> wanted;   ///< requested nodes that accept jobs; at least one
  std::vector<SlurmNode> left_out; ///< requested nodes that accept no jobs
};

/// Asks sinfo for nodes. `partition`: "gpu" or "gpu,cpu"; empty: the default partition. `nodelist`:
/// the requested nodes, "node[1-4],node7"; empty: all of the partition. `has_reservation`: true if
/// jobs may run on reserved nodes. Throws Error if Slurm is missing or does not answer, or if no
/// requested node accepts jobs.
[[nodiscard]] ClusterNodes cluster_nodes(const std::string& partition, const std::string& nodelist,
                                         bool has_reservation);

/// Asks scontrol for the limits of these partitions; empty if it reports nothing.
[[nodiscard]] std::vector<SlurmPartition> cluster_partitions(const std::string& partition);

} // namespace sdbench
