#pragma once

namespace sdbench {

/// The version of the cuDNN that is loaded, 91900 for 9.19.0; older libtorch tells only of the one
/// that it was built with. `Hooks`: at::CUDAHooksInterface, whose members differ by version.
template <typename Hooks>
[[nodiscard]] long cudnn_number(const Hooks& hooks) {
  if constexpr (requires { hooks.versionRuntimeCuDNN(); }) {
    return hooks.versionRuntimeCuDNN();
  } else {
    return hooks.versionCuDNN();
  }
}

} // namespace sdbench
