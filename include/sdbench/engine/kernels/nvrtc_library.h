#pragma once

#include <string>

namespace sdbench {

/// Path of the CUDA runtime that this process has loaded: "/…/libcudart.so.13". Empty if it has
/// loaded no CUDA runtime.
[[nodiscard]] std::string cudart_path();

/// Loads NVRTC in the same major version as `cudart`, then libnvrtc-builtins from the folder of
/// NVRTC, and never unloads them. Returns a handle of NVRTC for dlsym(). Looks for NVRTC in the
/// folder of `cudart`, then in ../../cuda_nvrtc/lib (CUDA 12's wheels), then lets the dynamic
/// linker search. NVRTC itself would load the builtins by name at its first compilation, but cannot
/// find those of CUDA 13's wheel unless a CUDA toolkit is installed. Throws Error if NVRTC or the
/// builtins are missing.
[[nodiscard]] void* open_nvrtc(const std::string& cudart = cudart_path());

/// Loads NVRTC, so that libraries that open it by name, such as cuDNN, find it. A program calls
/// this before it uses CUDA. Does nothing if NVRTC is missing: the code that needs NVRTC reports
/// the error.
void preload_nvrtc();

} // namespace sdbench
