#pragma once

#include <vector>

#include "sdbench/engine/models/classifier.h"
#include "sdbench/engine/training/sgd.h"

namespace sdbench {

/// Dynamic scaling of a loss, so that gradients in fp16 do not vanish: torch.amp.GradScaler's, by
/// the same operators. The scale starts at 2^16, doubles after 2000 steps of finite gradients in a
/// row and halves after each step that had others.
class LossScaler {
public:
  explicit LossScaler(at::Device device);

  /// What the backward pass is to start from: the loss times the scale.
  [[nodiscard]] at::Tensor scaled(const at::Tensor& loss) const;

  /// Divides the gradients by the scale, in place, lets the optimiser step if all of them are
  /// finite, and chooses the scale of the next step. True if it stepped. Waits for the device, as
  /// GradScaler does.
  bool step(Sgd& optimizer);

  /// Waits for the device.
  [[nodiscard]] double scale() const;

private:
  /// Whether all are finite, then.
  [[nodiscard]] bool unscale(const std::vector<NamedTensor>& parameters);

  at::Tensor scale_;     ///< fp32, one number
  at::Tensor growth_;    ///< int32: steps of finite gradients in a row
  at::Tensor found_inf_; ///< fp32: 1 if the last gradients were not all finite
};

} // namespace sdbench
