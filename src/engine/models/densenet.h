#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conv_norm.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// Batch norm and ReLU of images concatenated along their channels. If the weights fold norms, a
/// CPU computes all of this in one pass over memory.
class JoinedNorm {
public:
  JoinedNorm(const Weights& weights, std::int64_t channels);
  /// [N, C1, H, W], [N, C2, H, W], … -> [N, channels, H, W].
  [[nodiscard]] at::Tensor operator()(const std::vector<at::Tensor>& parts, Mode mode) const;

private:
  BatchNorm2d norm_;
  std::optional<ChannelScale> scale_; ///< fp32; empty if norms are not folded
};

/// torchvision's DenseNet: each layer gets the outputs of all earlier layers of its stage as input.
/// G. Huang et al., 2016 (arXiv:1608.06993).
class Densenet {
public:
  Densenet(const Weights& weights, const NetworkConfig& config);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

private:
  struct Layer {
    JoinedNorm norm; ///< of all earlier outputs; each layer has its own
    ConvNorm narrow; ///< 1x1
    Conv2d grow;     ///< 3x3
  };
  /// The layers between two stages; an average pool over 2x2 pixels follows them.
  struct Transition {
    JoinedNorm norm;
    Conv2d conv; ///< 1x1
  };
  struct Stage {
    std::vector<Layer> layers;
    std::optional<Transition> transition;
  };
  [[nodiscard]] static std::vector<Stage> make_stages(const Weights& features,
                                                      const NetworkConfig& config);
  /// Number of channels of the last stage's output.
  [[nodiscard]] static std::int64_t features_of(const NetworkConfig& config);

  ConvNorm stem_;
  std::vector<Stage> stages_;
  JoinedNorm norm_;
  Linear out_;
};

} // namespace sdbench
