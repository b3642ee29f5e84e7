#pragma once

#include <optional>
#include <vector>

#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// A residual block of two 3x3 convolutions, each after batch norm and ReLU. The first convolution
/// has the stride. If the width changes, the shortcut is a 1x1 convolution of the first norm's
/// output.
class PreactivationBlock {
public:
  PreactivationBlock(const Weights& weights, std::int64_t in, std::int64_t out,
                     std::int64_t stride);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, Mode mode) const;

private:
  BatchNorm2d norm_1_;
  Conv2d conv_1_;
  BatchNorm2d norm_2_;
  Conv2d conv_2_;
  std::optional<Conv2d> shortcut_;
};

/// WideResNet as its authors built it for CIFAR, without dropout. Keys: `conv1`, `groupG.B.bn1`,
/// `.conv1`, `.bn2`, `.conv2`, `.shortcut`, then `bn` and `fc`. S. Zagoruyko, N. Komodakis, 2016
/// (arXiv:1605.07146).
class WideResnet {
public:
  WideResnet(const Weights& weights, const NetworkConfig& config);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& images, Mode mode) const;

private:
  Conv2d stem_;
  std::vector<PreactivationBlock> blocks_;
  BatchNorm2d norm_;
  Linear out_;
};

} // namespace sdbench
