#pragma once

#include <string>

#include "sdbench/base/device/cuda_driver.h"

namespace sdbench {

/// What CUDA's runtime answers when it finds no GPU. CUDA versions are in CUDA's own form: 13000 is
/// 13.0.
struct CudaAnswer {
  int code = 0;               ///< returned by cudaGetDeviceCount
  std::string words;          ///< returned by cudaGetErrorString for the code
  int driver_cuda = 0;        ///< newest CUDA that the driver supports; 0: unknown
  int runtime_cuda = 0;       ///< CUDA version of libtorch
  std::string driver_version; ///< "580.65.06"; empty if unknown
};

/// Why CUDA has no GPU.
struct CudaObstacle {
  std::string text;            ///< one line: "REASON; WHAT TO DO"
  bool driver_is_here = false; ///< true if a driver is installed, but CUDA fails with it
};

/// Explains why CUDA finds no GPU. `library`: result of cuda_library(). The runtime's codes mean
/// the same as those of the driver API's cuInit.
[[nodiscard]] CudaObstacle cuda_obstacle(const CudaAnswer& answer, const CudaLibrary& library);

/// Explains why a program that is built without CUDA finds no GPU.
[[nodiscard]] CudaObstacle cuda_obstacle_without_runtime(const CudaLibrary& library);

} // namespace sdbench
