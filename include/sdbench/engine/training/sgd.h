#pragma once

#include <cstdint>
#include <vector>

#include "sdbench/engine/models/classifier.h"

namespace sdbench {

/// Stochastic gradient descent with momentum, equal to torch.optim.SGD without dampening, Nesterov
/// momentum and weight decay: buffer = momentum * buffer + gradient (at first buffer = gradient),
/// parameter -= learning_rate * buffer.
class Sgd {
public:
  /// `parameters` must be leaves that require gradients (make_classifier() with Gradients::kYes).
  Sgd(std::vector<NamedTensor> parameters, double learning_rate, double momentum);

  /// One step with the gradients of the last backward pass. A parameter without a gradient is left
  /// unchanged, as in PyTorch. Records nothing for autograd.
  void step();
  void set_learning_rate(double learning_rate) { learning_rate_ = learning_rate; }
  [[nodiscard]] const std::vector<NamedTensor>& parameters() const { return parameters_; }

private:
  std::vector<NamedTensor> parameters_;
  std::vector<at::Tensor> buffers_; ///< one for each parameter; undefined before its first gradient
  double learning_rate_;
  double momentum_;
};

/// Drops the gradients instead of zeroing them; the next backward pass makes new ones.
void drop_gradients(const std::vector<NamedTensor>& parameters);

/// SGD's learning rate in `epoch`, counted from 0. The rate is 0.1 for a batch of 128 images and
/// proportional to the batch size (Goyal et al., "Accurate, large minibatch SGD", 2017). After half
/// of the epochs, the rate is a tenth of this value; after four fifths of the epochs, a hundredth.
/// If `epochs` is 0, the rate is constant.
[[nodiscard]] double epoch_learning_rate(std::int64_t batch, std::int64_t epoch,
                                         std::int64_t epochs);

} // namespace sdbench
