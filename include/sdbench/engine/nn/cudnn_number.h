#pragma once

namespace sdbench {

/// The version of the loaded cuDNN; 91900 is 9.19.0. Older versions of libtorch know only the cuDNN
/// that they were built with, and return its version. `Hooks`: at::CUDAHooksInterface, whose
/// members differ by libtorch version.
template <typename Hooks>
[[nodiscard]] long cudnn_number(const Hooks& hooks) {
  if constexpr (requires { hooks.versionRuntimeCuDNN(); }) {
    return hooks.versionRuntimeCuDNN();
  } else {
    return hooks.versionCuDNN();
  }
}

} // namespace sdbench
