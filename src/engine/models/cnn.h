#pragma once

#include <vector>

#include "conv_norm.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// Stages of 3x3 convolutions, each followed by batch norm and ReLU. The mean of 2x2 pixels is
/// taken between stages, the mean of all pixels at the end; one linear layer follows. Keys:
/// `stages.S.L.conv`, `stages.S.L.bn`, `fc`. Our choice where the article on cnn10 leaves details
/// open.
class Cnn {
public:
  Cnn(const Weights& weights, const NetworkConfig& config);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

private:
  std::vector<std::vector<ConvNorm>> stages_;
  Linear out_;
};

} // namespace sdbench
