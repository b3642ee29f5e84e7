#pragma once

#include <torch/version.h>

// What differs between the versions of libtorch that this project is built with.

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 11)
/// Pinned host memory has pools of its own, which a graph's capture takes part in.
#define SDBENCH_PINNED_MEMORY_HAS_POOLS
#endif
