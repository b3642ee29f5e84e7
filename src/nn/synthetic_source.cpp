#include "sdbench/nn/synthetic_source.h"

#include <utility>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "sdbench/nn/scalar_type.h"
#include "sdbench/weights/synthetic.h"

namespace sdbench {

SyntheticSource::SyntheticSource(std::uint64_t seed, std::string component, at::ScalarType dtype,
                                 at::Device device)
    : seed_(seed), component_(std::move(component)), dtype_(dtype), device_(device) {}

at::Tensor SyntheticSource::take(const std::string& name, at::IntArrayRef shape) {
  if (device_.is_meta()) { // has no numbers
    return at::empty(shape, at::device(device_).dtype(dtype_));
  }
  const at::Tensor host = at::empty(shape, at::device(at::kCPU).dtype(dtype_));
  fill_synthetic(seed_, component_, name, {shape.data(), shape.size()}, to_dtype(dtype_),
                 {static_cast<std::byte*>(host.data_ptr()), host.nbytes()}, at::get_num_threads());
  return host.to(device_);
}

} // namespace sdbench
