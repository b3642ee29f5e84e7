#include "sdbench/engine/nn/recording_source.h"

#include <string>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/scalar_type.h"

namespace sdbench {

at::Tensor RecordingSource::take(const std::string& name, at::IntArrayRef shape) {
  tensors_.push_back({name, to_dtype(dtype_), shape.vec()});
  return at::empty(shape, at::device(at::kMeta).dtype(dtype_));
}

std::int64_t RecordingSource::parameter_count() const {
  std::int64_t total = 0;
  for (const TensorDeclaration& tensor : tensors_) {
    total += c10::multiply_integers(tensor.shape);
  }
  return total;
}

std::int64_t RecordingSource::byte_count() const {
  return parameter_count() * static_cast<std::int64_t>(c10::elementSize(dtype_));
}

} // namespace sdbench
