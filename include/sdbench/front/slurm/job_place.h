#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/front/slurm/slurm_node.h"

namespace sdbench {

/// The unit that gets a job of its own.
enum class JobPer { kNode, kType, kGpu };

/// Where a job is to run.
struct JobPlace {
  std::string name;                 ///< unique, names its files: "node1", "4xa100-ib", "node1-gpu0"
  std::vector<std::string> options; ///< for sbatch, to run it there: "--nodelist=node1"
  std::string gres;                 ///< its GPUs: "gpu:a100:4"; empty: no GPUs
  std::int64_t cpus = 0;            ///< its share of the node's processors; 0: no share
  std::int64_t memory_mb = 0;       ///< its share of the node's memory; 0: no share
  bool has_one_gpu = false;         ///< of those that its node has
  std::int64_t node_cpus = 0;       ///< of the largest node that it may be on
  std::int64_t node_memory_mb = 0;  ///< likewise
};

/// A job for each node; for each type, by GPUs and features, on any one node of it; or for each
/// GPU, in a share of its node's processors and memory. `nodes`: those that are wanted and take
/// jobs, `all`: of the partition. Throws Error where there are no GPUs to have jobs.
[[nodiscard]] std::vector<JobPlace> job_places(JobPer per, const std::vector<SlurmNode>& nodes,
                                               const std::vector<SlurmNode>& all);

/// Options that let a job run on any one of `nodes`. sbatch can only require all of a list of
/// nodes, or exclude nodes.
[[nodiscard]] std::vector<std::string> any_one_of(const std::vector<SlurmNode>& nodes,
                                                  const std::vector<SlurmNode>& all);

} // namespace sdbench
