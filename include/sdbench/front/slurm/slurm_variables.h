#pragma once

#include <string>

namespace sdbench {

/// Removes environment variables that change what Slurm's programs read, print or cancel, such as
/// SINFO_PARTITION, SCANCEL_STATE and SLURM_CLUSTERS. Affects this process. Call it before the
/// process starts the first of these programs.
void forget_slurm_variables();

/// Arguments of the shell command `unset`: the variables that forget_slurm_variables() removes.
[[nodiscard]] std::string unset_words();

} // namespace sdbench
