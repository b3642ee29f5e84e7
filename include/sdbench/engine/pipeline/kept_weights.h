#pragma once

#include "sdbench/engine/pipeline/pipeline_options.h"

namespace sdbench {

/// Wraps `read` in a factory that reads each component only once, into host memory. The factory's
/// sources then copy the tensors from there to the requested device. A tensor is kept in
/// pinned memory if a GPU is the first for which it is requested. Other tensors of a checkpoint
/// stay views of the mapped file if they have the run's dtype.
[[nodiscard]] LayerSourceFactory keep_in_host_memory(LayerSourceFactory read);

} // namespace sdbench
