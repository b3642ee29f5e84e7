#pragma once

#include <torch/version.h>

// Differences between the versions of libtorch that this project is built with.

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 11)
/// Pinned host memory has its own pools, which take part in a graph's capture.
#define SDBENCH_PINNED_MEMORY_HAS_POOLS
#endif
