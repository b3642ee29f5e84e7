#pragma once

#include <vector>

#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// torchvision's VGG without batch norm: stages of 3x3 convolutions, each followed by a maximum
/// over 2x2 pixels; then an average pool to `pooled_size` x `pooled_size` pixels and three linear
/// layers. K. Simonyan, A. Zisserman, 2014 (arXiv:1409.1556).
class Vgg {
public:
  Vgg(const Weights& weights, const NetworkConfig& config);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

private:
  std::vector<std::vector<Conv2d>> stages_;
  std::int64_t pooled_size_;
  double dropout_;
  Linear hidden_1_;
  Linear hidden_2_;
  Linear out_;
};

} // namespace sdbench
