#pragma once

#include <string>

namespace sdbench {

/// Takes out of this process's environment what would change what Slurm's programs read, print or
/// cancel (SINFO_PARTITION, SCANCEL_STATE, SLURM_CLUSTERS), before the first of them runs.
void forget_slurm_variables();

/// The words of bash's unset that do the same.
[[nodiscard]] std::string unset_words();

} // namespace sdbench
