#include "sdbench/engine/nn/device_copy.h"

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace sdbench {

at::Tensor ready_for(const at::Tensor& x, at::Device device) {
  if (!x.is_cpu() || !device.is_cuda()) {
    return x;
  }
  try {
    return x.pin_memory();      // returns x itself if it is pinned
  } catch (const c10::Error&) { // a container may refuse it: then the copy blocks
    return x;
  }
}

at::Tensor to_device(const at::Tensor& x, at::Device device) {
  const at::Tensor ready = ready_for(x, device);
  // libtorch does not reuse the pinned memory before the copy is done. From other memory, CUDA
  // copies before it returns.
  return ready.to(device, x.scalar_type(), /*non_blocking=*/x.is_cpu() && device.is_cuda());
}

at::Tensor to_device(const at::Tensor& x, at::Device device, at::ScalarType dtype) {
  return device.is_cuda() ? to_device(x.to(dtype), device)
                          : x.to(at::device(device).dtype(dtype)); // a meta tensor is not computed
}

at::Tensor to_host(const at::Tensor& x) {
  if (!x.is_cuda()) {
    return x.cpu();
  }
  at::Tensor host;
  try {
    host = at::empty_like(x, x.options().device(at::kCPU).pinned_memory(true));
  } catch (const c10::Error&) {
    return x.cpu();
  }
  host.copy_(x, /*non_blocking=*/true);
  c10::impl::VirtualGuardImpl(x.device().type()).getStream(x.device()).synchronize();
  return host;
}

} // namespace sdbench
