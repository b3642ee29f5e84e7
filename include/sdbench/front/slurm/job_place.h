#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/front/slurm/slurm_node.h"

namespace sdbench {

/// What gets a job of its own: each node, each type of node, or each GPU.
enum class JobPer { kNode, kType, kGpu };

/// The place where a job runs: a node, any node of one type, or one GPU of a node.
struct JobPlace {
  std::string name; ///< unique; part of the job's file names: "node1", "4xa100-ib", "node1-gpu0"
  /// Options with which sbatch runs the job there: "--nodelist=node1".
  std::vector<std::string> options;
  std::string gres; ///< its GPUs, as in --gres: "gpu:a100:4"; empty: no GPUs
  /// Processors to request for a job on one GPU: the node's, divided by its GPUs. Else 0.
  std::int64_t cpus = 0;
  /// Memory to request for a job on one GPU: 90 % of the node's, divided by its GPUs. Else 0.
  std::int64_t memory_mb = 0;
  bool has_one_gpu = false;        ///< true: the place is one GPU of a node
  std::int64_t node_cpus = 0;      ///< maximum over the nodes on which the job may run
  std::int64_t node_memory_mb = 0; ///< maximum over the nodes on which the job may run
};

/// Returns the places for which jobs are made, depending on `per`:
/// - kNode: one place per node
/// - kType: one place per type of node (same GPUs and features); its job runs on any node of the
///   type
/// - kGpu: one place per GPU, with an equal part of its node's processors and memory
/// `nodes`: the wanted nodes that accept jobs. `all`: all nodes of the partition. Throws Error if
/// `per` is kGpu and no node has GPUs.
[[nodiscard]] std::vector<JobPlace> job_places(JobPer per, const std::vector<SlurmNode>& nodes,
                                               const std::vector<SlurmNode>& all);

/// sbatch options that let a job run on any one of `nodes`. For several nodes, the options exclude
/// the other nodes of `all`, because --nodelist would demand all nodes of its list at once.
[[nodiscard]] std::vector<std::string> any_one_of(const std::vector<SlurmNode>& nodes,
                                                  const std::vector<SlurmNode>& all);

} // namespace sdbench
