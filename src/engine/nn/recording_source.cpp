#include "sdbench/engine/nn/recording_source.h"

#include <string>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/scalar_type.h"

namespace sdbench {

at::Tensor RecordingSource::take(const std::string& name, at::IntArrayRef shape) {
  tensors_.push_back({name, to_dtype(dtype_), shape.vec()});
  return at::empty(shape, at::device(at::kMeta).dtype(dtype_));
}

} // namespace sdbench
