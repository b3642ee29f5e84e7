#pragma once

#include <string>

#include "sdbench/base/device/cuda_driver.h"

namespace sdbench {

/// The answer of CUDA's runtime when it finds no GPU. Versions are in CUDA's form: 13000.
struct CudaAnswer {
  int code = 0;               ///< of cudaGetDeviceCount
  std::string words;          ///< of cudaGetErrorString for the code
  int driver_cuda = 0;        ///< newest CUDA that the driver supports; 0: unknown
  int runtime_cuda = 0;       ///< of libtorch
  std::string driver_version; ///< "580.65.06"; empty if unknown
};

/// Why CUDA has no GPU.
struct CudaObstacle {
  std::string text;            ///< in one line: the reason, and after a semicolon what to do
  bool driver_is_here = false; ///< true if driver and GPU are present and should work
};

/// `library`: libcuda.so.1 of the same process. The codes are also those of the driver API's
/// cuInit.
[[nodiscard]] CudaObstacle cuda_obstacle(const CudaAnswer& answer, const CudaLibrary& library);

/// The same for a program that is built without CUDA.
[[nodiscard]] CudaObstacle cuda_obstacle_without_runtime(const CudaLibrary& library);

} // namespace sdbench
