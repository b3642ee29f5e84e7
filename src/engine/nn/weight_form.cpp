#include "sdbench/engine/nn/weight_form.h"

#include <string>

#include <ATen/ATen.h>

namespace sdbench {

at::Tensor FormedSource::take(const std::string& name, at::IntArrayRef shape) {
  constexpr std::size_t kConvolutionRank = 4; // [out, in, k, k]
  at::Tensor weight = source_->take(name, shape);
  if (shape.size() == kConvolutionRank && form_.packing == Packing::kNone) {
    weight = weight.contiguous(form_.memory_format);
  }
  if (form_.for_autocast) {
    weight.set_requires_grad(true);
  }
  return weight;
}

} // namespace sdbench
