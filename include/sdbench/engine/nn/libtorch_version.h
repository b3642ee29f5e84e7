#pragma once

#include <torch/version.h>

// Differences between the versions of libtorch that this project is built with.

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 8)
/// Defined if the product of 16-bit matrices on a GPU can be written in fp32.
#define SDBENCH_PRODUCTS_CAN_WIDEN
#endif

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 11)
/// Defined if libtorch's pinned host memory has its own pools, which take part in the capture of a
/// CUDA graph.
#define SDBENCH_PINNED_MEMORY_HAS_POOLS
#endif
