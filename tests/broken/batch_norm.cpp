// src/engine/nn/batch_norm.cpp with a mistake of the backward pass alone: the mean and the variance
// of the batch are taken for constants.
#include "sdbench/engine/nn/batch_norm.h"

#include <cstdint>
#include <string_view>

#include <ATen/ATen.h>

namespace sdbench {

BatchNorm2d::BatchNorm2d(const Weights& weights, std::int64_t channels)
    : weight_(weights.take("weight", {channels})), bias_(weights.take("bias", {channels})),
      running_mean_(weights.take("running_mean", {channels})),
      running_var_(weights.take("running_var", {channels})) {}

at::Tensor BatchNorm2d::operator()(const at::Tensor& x, Mode mode) const {
  if (mode == Mode::kInfer) {
    return at::batch_norm(x, weight_, bias_, running_mean_, running_var_, false, 0.1, 1e-5, true);
  }
  const at::Tensor batch = x.detach();
  const at::Tensor mean = batch.mean({0, 2, 3}, true);
  const at::Tensor variance = batch.var({0, 2, 3}, false, true);
  return (x - mean) * (variance + 1e-5).rsqrt() * weight_.view({1, -1, 1, 1}) +
         bias_.view({1, -1, 1, 1});
}

bool is_running_statistic(std::string_view name) {
  return name.ends_with("running_mean") || name.ends_with("running_var");
}

} // namespace sdbench
