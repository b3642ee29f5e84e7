#pragma once

namespace sdbench {

/// Whether this machine may have a GPU for CUDA: its driver library, libcuda.so.1, can be loaded,
/// or a device of the driver's is there (that library may lie where only libtorch looks).
[[nodiscard]] bool has_cuda_driver();

} // namespace sdbench
