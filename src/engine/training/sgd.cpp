#include "sdbench/engine/training/sgd.h"

#include <cstddef>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace sdbench {

Sgd::Sgd(std::vector<NamedTensor> parameters, double learning_rate, double momentum)
    : parameters_(std::move(parameters)), buffers_(parameters_.size()),
      learning_rate_(learning_rate), momentum_(momentum) {}

void Sgd::step() {
  const at::NoGradGuard no_gradients;
  std::vector<at::Tensor> changed;
  std::vector<at::Tensor> moved;     // momentum buffers that exist already
  std::vector<at::Tensor> gradients; // gradients for `moved`
  std::vector<at::Tensor> steps;     // what is subtracted from `changed`
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& gradient = parameters_[i].tensor.grad();
    if (!gradient.defined()) {
      continue;
    }
    if (buffers_[i].defined()) {
      moved.push_back(buffers_[i]);
      gradients.push_back(gradient);
    } else {
      buffers_[i] = gradient.clone();
    }
    changed.push_back(parameters_[i].tensor);
    steps.push_back(buffers_[i]);
  }
  if (!moved.empty()) {
    at::_foreach_mul_(moved, momentum_);
    at::_foreach_add_(moved, gradients);
  }
  if (!changed.empty()) {
    at::_foreach_add_(changed, steps, -learning_rate_);
  }
}

void drop_gradients(const std::vector<NamedTensor>& parameters) {
  for (const NamedTensor& parameter : parameters) {
    parameter.tensor.mutable_grad().reset();
  }
}

double epoch_learning_rate(std::int64_t batch, std::int64_t epoch, std::int64_t epochs) {
  constexpr double kRate = 0.1;
  constexpr double kBatch = 128;
  const bool is_first = epochs == 0 || 2 * epoch < epochs;
  const double divisor = is_first ? 1 : 5 * epoch < 4 * epochs ? 10 : 100;
  return kRate * static_cast<double>(batch) / kBatch / divisor;
}

} // namespace sdbench
