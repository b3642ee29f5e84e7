#pragma once

#include <vector>

#include "conv_norm.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// Stages of 3x3 convolutions, each followed by batch norm and ReLU. Between stages there is an
/// average pool over 2x2 pixels. At the end there are the average over all pixels and one linear
/// layer. Keys: `stages.S.L.conv`, `stages.S.L.bn`, `fc`. Details that the article on cnn10 leaves
/// open are our choice.
class Cnn {
public:
  Cnn(const Weights& weights, const NetworkConfig& config);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

private:
  std::vector<std::vector<ConvNorm>> stages_;
  Linear out_;
};

} // namespace sdbench
