#pragma once

#include "sdbench/engine/pipeline/pipeline_options.h"

namespace sdbench {

/// Wraps `read` in a factory that reads each component only once, into host memory. The factory
/// then copies the tensors from there to the requested device. For a GPU it keeps them in pinned
/// memory. Where memory is not pinned, a checkpoint's tensors in the run's dtype are views of the
/// mapped file.
[[nodiscard]] WeightSourceFactory keep_in_host_memory(WeightSourceFactory read);

} // namespace sdbench
