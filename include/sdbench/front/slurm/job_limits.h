#pragma once

#include <string>
#include <vector>

#include "sdbench/front/slurm/job_place.h"
#include "sdbench/front/slurm/slurm_partition.h"

namespace sdbench {

/// Refuses jobs that Slurm would queue although they could never start. Throws UsageError if
/// - the sbatch options request more time, processors or memory than any partition allows
/// - they request no time, and the partitions' default time is at most kEndNoticeS
/// - they request more memory, processors or GPUs than a place (a node, or a part of one) has
/// - no partition accepts a job of one node
/// If a QOS is set, time and number of nodes are not checked, because a QOS may allow more than a
/// partition. An empty `partitions` means that their limits are unknown and are not checked.
void refuse_what_no_job_can_meet(const std::vector<std::string>& sbatch_options,
                                 const std::vector<JobPlace>& places,
                                 const std::vector<SlurmPartition>& partitions);

} // namespace sdbench
