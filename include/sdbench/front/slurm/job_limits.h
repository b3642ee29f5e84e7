#pragma once

#include <string>
#include <vector>

#include "sdbench/front/slurm/job_place.h"
#include "sdbench/front/slurm/slurm_partition.h"

namespace sdbench {

/// Refuses jobs that Slurm would queue although they can never begin. Throws UsageError if
/// - these options of sbatch ask for more time or memory than any of the partitions gives
/// - they ask for more memory, processors or GPUs than a place has
/// - no partition takes a job of one node
/// `partitions` is empty if their limits are unknown.
void refuse_what_no_job_can_meet(const std::vector<std::string>& sbatch_options,
                                 const std::vector<JobPlace>& places,
                                 const std::vector<SlurmPartition>& partitions);

} // namespace sdbench
