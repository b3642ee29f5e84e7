#pragma once

#include <string>

namespace sdbench {

/// Where this process has CUDA's runtime from: "/…/libcudart.so.13". Empty where it has none.
[[nodiscard]] std::string cudart_path();

/// NVRTC of that CUDA, loaded for good, as a handle for dlsym(), and with it its builtins from the
/// same folder. NVRTC opens those by name at its first compilation, and in CUDA 13's wheel it says
/// to no one where they lie: without a toolkit they would not be found. The folder is that of
/// `cudart`, or cuda_nvrtc/lib beside it (CUDA 12's wheels); else NVRTC is the linker's to find.
/// Throws Error where NVRTC or its builtins are not there.
[[nodiscard]] void* open_nvrtc(const std::string& cudart = cudart_path());

/// The same for those who open NVRTC by its name: cuDNN finds what is loaded already. For a program
/// to call before it uses CUDA. Without NVRTC nothing happens: who needs it says so.
void preload_nvrtc();

} // namespace sdbench
