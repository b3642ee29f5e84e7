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

/// True if files of the driver exist. On WSL, where /dev/dxg serves GPUs of any maker, checks for
/// the library that comes with Windows' driver. `root` is "/" except in tests.
[[nodiscard]] bool has_driver_files(const std::filesystem::path& root = "/");

/// True if this machine may have a GPU for CUDA: its driver library can be loaded, or files of the
/// driver exist (only libtorch may know the place of the library).
[[nodiscard]] bool has_cuda_driver();
/// True if a name of --device certainly means the CPU, as far as is known without a worker.
[[nodiscard]] bool is_surely_cpu(std::string_view device);

} // namespace sdbench
