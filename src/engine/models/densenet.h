#pragma once

#include <optional>
#include <vector>

#include "conv_norm.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// A batch norm, ReLU and the convolution behind it, without bias.
class NormConv {
public:
  NormConv(const Weights& norm_weights, const Weights& conv_weights, Conv2dShape shape);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, Mode mode) const;

private:
  BatchNorm2d norm_;
  Conv2d conv_;
};

/// torchvision's DenseNet: each layer sees the outputs of all before it in its stage. G. Huang et
/// al., 2016 (arXiv:1608.06993).
class Densenet {
public:
  Densenet(const Weights& weights, const NetworkConfig& config);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

private:
  struct Layer {
    BatchNorm2d norm; ///< of all before it, which each layer has its own for
    ConvNorm narrow;  ///< 1x1
    Conv2d grow;      ///< 3x3
  };
  struct Stage {
    std::vector<Layer> layers;
    std::optional<NormConv> transition; ///< to the next stage, before a mean of 2x2 pixels
  };
  [[nodiscard]] static std::vector<Stage> make_stages(const Weights& features,
                                                      const NetworkConfig& config);
  /// What the last stage gives.
  [[nodiscard]] static std::int64_t features_of(const NetworkConfig& config);

  ConvNorm stem_;
  std::vector<Stage> stages_;
  BatchNorm2d norm_;
  Linear out_;
};

} // namespace sdbench
