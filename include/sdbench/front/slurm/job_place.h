#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/front/slurm/slurm_node.h"

namespace sdbench {

/// The unit for which a job is made.
enum class JobPer { kNode, kType, kGpu };

/// The place where a job runs.
struct JobPlace {
  std::string name;                 ///< unique, names its files: "node1", "4xa100-ib", "node1-gpu0"
  std::vector<std::string> options; ///< for sbatch, to run it there: "--nodelist=node1"
  std::string gres;                 ///< its GPUs: "gpu:a100:4"; empty: no GPUs
  std::int64_t cpus = 0;            ///< its share of the node's processors; 0: no share
  std::int64_t memory_mb = 0;       ///< its share of the node's memory; 0: no share
  bool has_one_gpu = false;         ///< one of its node's GPUs
  std::int64_t node_cpus = 0;       ///< of the largest node on which it may run
  std::int64_t node_memory_mb = 0;  ///< of the largest node
};

/// The places of jobs, by `per`:
/// - kNode: one per node
/// - kType: one per type of node (by GPUs and features), on any node of the type
/// - kGpu: one per GPU, with a share of its node's processors and memory
/// `nodes`: wanted nodes that take jobs; `all`: nodes of the partition. Throws Error if kGpu finds
/// no GPUs.
[[nodiscard]] std::vector<JobPlace> job_places(JobPer per, const std::vector<SlurmNode>& nodes,
                                               const std::vector<SlurmNode>& all);

/// Options with which a job can run on any one of `nodes`. They exclude the other nodes, because
/// sbatch can require only all nodes of a list.
[[nodiscard]] std::vector<std::string> any_one_of(const std::vector<SlurmNode>& nodes,
                                                  const std::vector<SlurmNode>& all);

} // namespace sdbench
