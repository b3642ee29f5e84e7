#pragma once

#include <vector>

#include "sdbench/engine/models/classifier.h"

namespace sdbench {

/// Stochastic gradient descent with momentum, as torch.optim.SGD's without dampening, Nesterov's
/// form and weight decay: buffer = momentum * buffer + gradient (the first time the gradient),
/// parameter -= learning_rate * buffer.
class Sgd {
public:
  /// `parameters` must be leaves with gradients (make_classifier's, of Gradients::kYes).
  Sgd(std::vector<NamedTensor> parameters, double learning_rate, double momentum);

  /// One step by the gradients that a backward pass left. A parameter without one stays, as in
  /// PyTorch. Nothing is recorded by autograd.
  void step();
  void set_learning_rate(double learning_rate) { learning_rate_ = learning_rate; }
  [[nodiscard]] const std::vector<NamedTensor>& parameters() const { return parameters_; }

private:
  std::vector<NamedTensor> parameters_;
  std::vector<at::Tensor> buffers_; ///< undefined before a parameter's first gradient
  double learning_rate_;
  double momentum_;
};

/// Takes the gradients away, so that the next backward pass makes new ones: nothing is zeroed.
void drop_gradients(const std::vector<NamedTensor>& parameters);

} // namespace sdbench
