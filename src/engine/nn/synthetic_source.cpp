#include "sdbench/engine/nn/synthetic_source.h"

#include <utility>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "sdbench/engine/nn/device_copy.h"
#include "sdbench/engine/nn/scalar_type.h"

namespace sdbench {

void in_parts_by_libtorch(std::size_t count, const FillChunks& fill) {
  constexpr std::int64_t kLeast = 512; // chunks: below it a thread costs more than it saves
  at::parallel_for(0, static_cast<std::int64_t>(count), kLeast,
                   [&](std::int64_t begin, std::int64_t end) {
                     fill(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
                   });
}

SyntheticSource::SyntheticSource(std::uint64_t seed, std::string component, at::ScalarType dtype,
                                 at::Device device)
    : seed_(seed), component_(std::move(component)), dtype_(dtype), device_(device) {}

at::Tensor SyntheticSource::take(const std::string& name, at::IntArrayRef shape) {
  if (device_.is_meta()) { // has no numbers
    return at::empty(shape, at::device(device_).dtype(dtype_));
  }
  const at::Tensor host = at::empty(shape, at::device(at::kCPU).dtype(dtype_));
  fill_synthetic(seed_, component_, name, {shape.data(), shape.size()}, to_dtype(dtype_),
                 {static_cast<std::byte*>(host.data_ptr()), host.nbytes()}, in_parts_by_libtorch);
  return to_device(host, device_);
}

} // namespace sdbench
