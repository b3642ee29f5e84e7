#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sdbench {

/// Whether the dynamic loader can load CUDA's driver library, libcuda.so.1.
struct CudaLibrary {
  bool loads = false;
  /// The loader's error message if the library exists but cannot be loaded; else empty.
  std::string problem;
};
/// Tries to load libcuda.so.1, and unloads it again.
[[nodiscard]] CudaLibrary cuda_library();

/// True if files of the NVIDIA driver exist. On WSL, the Windows driver's libcuda is such a file;
/// the device file /dev/dxg is not, because it exists for GPUs of any vendor. `root`: "/" except in
/// tests.
[[nodiscard]] bool has_driver_files(const std::filesystem::path& root = "/");

/// True if this machine may have a GPU for CUDA: files of the NVIDIA driver exist, or libcuda.so.1
/// can be loaded. Driver files are enough, because libtorch may find the library where the loader
/// does not.
[[nodiscard]] bool has_cuda_driver();
/// True if a value of --device certainly means the CPU: it is "cpu" or "cpu:K", or it is "auto" and
/// has_cuda_driver() is false. Needs no worker.
[[nodiscard]] bool is_surely_cpu(std::string_view device);

} // namespace sdbench
