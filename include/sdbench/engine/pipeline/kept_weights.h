#pragma once

#include "sdbench/engine/pipeline/pipeline_options.h"

namespace sdbench {

/// A factory that reads each component once, into host memory, and copies its tensors from there to
/// the requested device. Tensors of a checkpoint in the run's dtype are the mapped file itself.
[[nodiscard]] WeightSourceFactory keep_in_host_memory(WeightSourceFactory read);

} // namespace sdbench
