#pragma once

namespace sdbench {

/// The version of the cuDNN that is loaded; 91900 is 9.19.0. With older versions of libtorch, which
/// know only the cuDNN that they were built with, returns the version of that cuDNN. `Hooks`:
/// at::CUDAHooksInterface, whose members differ by libtorch version.
template <typename Hooks>
[[nodiscard]] long cudnn_number(const Hooks& hooks) {
  if constexpr (requires { hooks.versionRuntimeCuDNN(); }) {
    return hooks.versionRuntimeCuDNN();
  } else {
    return hooks.versionCuDNN();
  }
}

} // namespace sdbench
