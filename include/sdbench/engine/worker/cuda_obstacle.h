#pragma once

#include <string>

#include "sdbench/base/device/cuda_driver.h"

namespace sdbench {

/// The answer of CUDA's runtime when it finds no GPU. Versions are in CUDA's form: 13000.
struct CudaAnswer {
  int code = 0;               ///< cudaGetDeviceCount's
  std::string words;          ///< cudaGetErrorString's of it
  int driver_cuda = 0;        ///< the newest CUDA that the driver takes; 0: it does not say
  int runtime_cuda = 0;       ///< of the libtorch
  std::string driver_version; ///< "580.65.06"; empty where it cannot be read
};

/// Why CUDA has no GPU.
struct CudaObstacle {
  std::string text;            ///< in one line: the reason, and after a semicolon what to do
  bool driver_is_here = false; ///< true if driver and GPU are present and should work
};

/// `library`: libcuda.so.1 of the same process. The codes are the driver API's cuInit's, too.
[[nodiscard]] CudaObstacle cuda_obstacle(const CudaAnswer& answer, const CudaLibrary& library);

/// The same for a program that is built without CUDA.
[[nodiscard]] CudaObstacle cuda_obstacle_without_runtime(const CudaLibrary& library);

} // namespace sdbench
