#pragma once

#include <ATen/core/Tensor.h>

namespace sdbench {

/// `x` in pinned memory, from which to_device() copies to a GPU without another copy on the host;
/// `x` itself where the device is none, or there is no pinned memory.
[[nodiscard]] at::Tensor ready_for(const at::Tensor& x, at::Device device);

/// `x` on `device`. From the host to a GPU by pinned memory: the copy takes its turn among the
/// GPU's work, and the host does not wait for what is before it, unless there is no pinned memory.
/// `x` must not be pinned itself and written to before that.
[[nodiscard]] at::Tensor to_device(const at::Tensor& x, at::Device device);
/// The same in another number format, which it gets on the host: fewer bytes are copied then.
[[nodiscard]] at::Tensor to_device(const at::Tensor& x, at::Device device, at::ScalarType dtype);

/// `x` on the host, there when this returns. From a GPU into pinned memory, which is scarce: for
/// what does not stay.
[[nodiscard]] at::Tensor to_host(const at::Tensor& x);

} // namespace sdbench
