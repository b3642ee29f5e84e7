#pragma once

#include <string_view>

#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

/// Inference or training. In training, batch norm uses the batch's mean and variance and updates
/// the running ones, and dropout is active.
enum class Mode { kInfer, kTrain };

/// Epsilon that batch norm adds to each variance, as in torch.nn.BatchNorm2d.
inline constexpr double kBatchNormEps = 1e-5;

/// Batch norm of each channel over N, H and W, like torch.nn.BatchNorm2d with momentum 0.1. Keys:
/// `weight`, `bias`, `running_mean`, `running_var`, each [channels].
class BatchNorm2d {
public:
  BatchNorm2d(const Weights& weights, std::int64_t channels);
  /// x [N, channels, H, W] -> the same shape. kTrain updates the running mean and variance. Throws
  /// Error if kTrain gets only one value per channel, because one value has no variance.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, Mode mode) const;

private:
  at::Tensor weight_;
  at::Tensor bias_;
  at::Tensor running_mean_;
  at::Tensor running_var_;
};

/// True if a tensor of this name is a running mean or variance. Optimisers do not change these.
[[nodiscard]] bool is_running_statistic(std::string_view name);

} // namespace sdbench
