#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sdbench {

/// The loader's result for CUDA's driver library, libcuda.so.1.
struct CudaLibrary {
  bool loads = false;
  std::string problem; ///< the loader's message for a library that exists, but cannot be loaded
};
[[nodiscard]] CudaLibrary cuda_library();

/// Whether files of the driver are here; of WSL, where /dev/dxg serves any maker's GPU, the library
/// that Windows' driver brings along. `root` is "/" but in tests.
[[nodiscard]] bool has_driver_files(const std::filesystem::path& root = "/");

/// Whether this machine may have a GPU for CUDA: its driver library can be loaded, or files of
/// the driver's are there (that library may lie where only libtorch looks).
[[nodiscard]] bool has_cuda_driver();
/// True if a name of --device certainly means the CPU, by what is known without a worker.
[[nodiscard]] bool is_surely_cpu(std::string_view device);

} // namespace sdbench
