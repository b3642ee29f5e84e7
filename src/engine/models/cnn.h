#pragma once

#include <vector>

#include "conv_norm.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// Stages of 3x3 convolutions, batch norm and ReLU behind each, a mean of 2x2 pixels between stages
/// and of all pixels at the end, and one linear layer. Keys: `stages.S.L.conv`, `stages.S.L.bn`,
/// `fc`. What the article on cnn10 leaves open is chosen so.
class Cnn {
public:
  Cnn(const Weights& weights, const NetworkConfig& config);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

private:
  std::vector<std::vector<ConvNorm>> stages_;
  Linear out_;
};

} // namespace sdbench
