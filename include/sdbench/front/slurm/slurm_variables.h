#pragma once

#include <string>

namespace sdbench {

/// Removes variables from this process's environment that change what Slurm's programs read, print
/// or cancel (SINFO_PARTITION, SCANCEL_STATE, SLURM_CLUSTERS). Call it before the first of these
/// programs runs.
void forget_slurm_variables();

/// The arguments for bash's unset that do the same.
[[nodiscard]] std::string unset_words();

} // namespace sdbench
