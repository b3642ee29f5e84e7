#pragma once

namespace sdbench {

/// The version of the loaded cuDNN, 91900 for 9.19.0. Older libtorch only tells the version that it
/// was built with. `Hooks`: at::CUDAHooksInterface, whose members differ by libtorch version.
template <typename Hooks>
[[nodiscard]] long cudnn_number(const Hooks& hooks) {
  if constexpr (requires { hooks.versionRuntimeCuDNN(); }) {
    return hooks.versionRuntimeCuDNN();
  } else {
    return hooks.versionCuDNN();
  }
}

} // namespace sdbench
