#pragma once

#include <optional>
#include <vector>

#include "conv_norm.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// torchvision's Bottleneck, v1.5: the 3x3 convolution has the stride. If the size or the number of
/// channels changes, the shortcut is a 1x1 convolution.
class Bottleneck {
public:
  struct Shape {
    std::int64_t in = 0;
    std::int64_t width = 0; ///< of the 3x3 convolution
    std::int64_t out = 0;
    std::int64_t stride = 1;
  };
  Bottleneck(const Weights& weights, const Shape& shape);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, Mode mode) const;

private:
  ConvNorm first_;
  ConvNorm second_;
  ConvNorm third_;
  std::optional<ConvNorm> shortcut_;
};

/// torchvision's ResNet of bottlenecks. K. He et al., 2015 (arXiv:1512.03385).
class Resnet {
public:
  Resnet(const Weights& weights, const NetworkConfig& config);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

private:
  ConvNorm stem_;
  std::vector<Bottleneck> blocks_;
  Linear out_;
};

} // namespace sdbench
