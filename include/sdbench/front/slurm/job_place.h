#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/front/slurm/slurm_node.h"

namespace sdbench {

/// What gets a job of its own.
enum class JobPer { kNode, kType, kGpu };

/// Where a job is to run.
struct JobPlace {
  std::string name; ///< of its files, and of no other's: "node1", "4xa100-ib", "node1-gpu0"
  std::vector<std::string> options; ///< of sbatch, which lead it there: "--nodelist=node1"
  std::string gres;                 ///< of its GPUs: "gpu:a100:4"; empty: it has none
  std::int64_t cpus = 0;            ///< its share of the node's processors; 0: it has no share
  std::int64_t memory_mb = 0;       ///< its share of the node's; 0: it has no share
  bool has_one_gpu = false;         ///< of those that its node has
  std::int64_t node_cpus = 0;       ///< of the largest node that it may be on
  std::int64_t node_memory_mb = 0;  ///< likewise
};

/// A job for each node; for each type, by GPUs and features, on any one node of it; or for each
/// GPU, in a share of its node's processors and memory. `nodes`: those that are wanted and take
/// jobs, `all`: of the partition. Throws Error where there are no GPUs to have jobs.
[[nodiscard]] std::vector<JobPlace> job_places(JobPer per, const std::vector<SlurmNode>& nodes,
                                               const std::vector<SlurmNode>& all);

/// Options that lead a job to one of `nodes`, whichever: sbatch can name only nodes that it must
/// have all of, and those that it must not have.
[[nodiscard]] std::vector<std::string> any_one_of(const std::vector<SlurmNode>& nodes,
                                                  const std::vector<SlurmNode>& all);

} // namespace sdbench
