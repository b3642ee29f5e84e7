#pragma once

#include <vector>

#include "sdbench/engine/models/classifier.h"
#include "sdbench/engine/training/sgd.h"

namespace sdbench {

/// Dynamic loss scaling, so that fp16 gradients do not underflow. Uses the same operators as
/// torch.amp.GradScaler. The scale starts at 2^16, doubles after 2000 consecutive steps with finite
/// gradients, and halves after each step with a gradient that is not finite.
class LossScaler {
public:
  explicit LossScaler(at::Device device);

  /// Returns the loss times the scale. Start the backward pass from this product.
  [[nodiscard]] at::Tensor scaled(const at::Tensor& loss) const;

  /// Divides the gradients by the scale in place, runs the optimiser's step if all gradients are
  /// finite, and updates the scale. Returns true if the optimiser stepped. Waits for the device, as
  /// GradScaler does.
  bool step(Sgd& optimizer);

  /// Waits for the device.
  [[nodiscard]] double scale() const;

private:
  /// Divides the gradients by the scale in place. Returns true if all gradients are finite.
  [[nodiscard]] bool unscale(const std::vector<NamedTensor>& parameters);

  at::Tensor scale_;     ///< fp32, one number
  at::Tensor growth_;    ///< int32: number of consecutive steps with finite gradients
  at::Tensor found_inf_; ///< fp32: 1 if the last gradients were not all finite
};

} // namespace sdbench
