#pragma once

#include <ATen/core/Tensor.h>

namespace sdbench {

/// `x` in pinned memory, from which to_device() copies to a GPU without another host copy. `x`
/// itself if `device` is not a GPU or pinned memory cannot be had.
[[nodiscard]] at::Tensor ready_for(const at::Tensor& x, at::Device device);

/// `x` on `device`. A copy from the host to a GPU goes through pinned memory: it is queued on the
/// GPU's stream and the host does not wait, unless pinned memory cannot be had. If `x` itself is
/// pinned, it must not be written to until the copy is done.
[[nodiscard]] at::Tensor to_device(const at::Tensor& x, at::Device device);
/// The same, converted to `dtype` on the host before the copy, so that fewer bytes are copied.
[[nodiscard]] at::Tensor to_device(const at::Tensor& x, at::Device device, at::ScalarType dtype);

/// `x` on the host; the copy is complete when this returns. A copy from a GPU lies in pinned
/// memory, which is scarce, so do not keep it.
[[nodiscard]] at::Tensor to_host(const at::Tensor& x);

} // namespace sdbench
