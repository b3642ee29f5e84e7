#pragma once

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Returns `x` in pinned memory, from which to_device() copies it to a GPU without another copy on
/// the host. Returns `x` itself if `device` is not a GPU or if pinned memory cannot be allocated.
[[nodiscard]] at::Tensor ready_for(const at::Tensor& x, at::Device device);

/// Returns `x` on `device`. A copy from the host to a GPU goes through pinned memory. The copy is
/// enqueued on the GPU's stream. The host does not wait for it, unless pinned memory cannot be
/// allocated. If `x` itself is pinned, do not write to it until the copy is done.
[[nodiscard]] at::Tensor to_device(const at::Tensor& x, at::Device device);
/// Converts `x` to `dtype` on the host, then copies it to `device`, so that fewer bytes are copied.
[[nodiscard]] at::Tensor to_device(const at::Tensor& x, at::Device device, at::ScalarType dtype);

/// Returns `x` on the host; the copy is complete. A copy from a GPU is in pinned memory, which is
/// scarce, so do not keep it for long.
[[nodiscard]] at::Tensor to_host(const at::Tensor& x);

} // namespace sdbench
