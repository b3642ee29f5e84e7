#pragma once

#include <string>

namespace sdbench {

/// Path of the CUDA runtime that this process has loaded: "/…/libcudart.so.13". Empty if it has
/// loaded no CUDA runtime.
[[nodiscard]] std::string cudart_path();

/// Loads the NVRTC that belongs to `cudart`, and its builtins from the same folder, and never
/// unloads them. Returns a handle for dlsym(). The builtins are loaded here, because NVRTC itself
/// would load them by name at its first compilation, and would not find them with CUDA 13's wheel
/// and without a toolkit. Looks in the folder of `cudart`, then in cuda_nvrtc/lib beside it (CUDA
/// 12's wheels), then leaves the search to the dynamic linker. Throws Error if NVRTC or its
/// builtins are missing.
[[nodiscard]] void* open_nvrtc(const std::string& cudart = cudart_path());

/// Loads NVRTC for libraries that open it by name, such as cuDNN, which then find the loaded one. A
/// program calls this before it uses CUDA. Does nothing if NVRTC is missing; whatever needs NVRTC
/// reports that.
void preload_nvrtc();

} // namespace sdbench
