#pragma once

#include <vector>

#include "sdbench/engine/models/classifier.h"
#include "sdbench/engine/training/sgd.h"

namespace sdbench {

/// Dynamic loss scaling, so that fp16 gradients do not underflow. Uses the same operators as
/// torch.amp.GradScaler. The scale starts at 2^16, doubles after 2000 consecutive steps with finite
/// gradients and halves after each other step.
class LossScaler {
public:
  explicit LossScaler(at::Device device);

  /// The loss times the scale: start the backward pass from it.
  [[nodiscard]] at::Tensor scaled(const at::Tensor& loss) const;

  /// Divides the gradients by the scale in place, runs the optimiser's step if all gradients are
  /// finite, and updates the scale. Returns true if the optimiser stepped. Waits for the device, as
  /// GradScaler does.
  bool step(Sgd& optimizer);

  /// Waits for the device.
  [[nodiscard]] double scale() const;

private:
  /// Divides the gradients by the scale in place. Returns true if all are finite.
  [[nodiscard]] bool unscale(const std::vector<NamedTensor>& parameters);

  at::Tensor scale_;     ///< fp32, one number
  at::Tensor growth_;    ///< int32: steps of finite gradients in a row
  at::Tensor found_inf_; ///< fp32: 1 if the last gradients were not all finite
};

} // namespace sdbench
