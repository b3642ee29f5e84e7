#pragma once

namespace sdbench {

/// Whether CUDA's driver library, libcuda.so.1, can be loaded: without it no program finds a GPU.
/// It is looked for as CUDA's runtime does, and closed again.
[[nodiscard]] bool has_cuda_driver();

} // namespace sdbench
