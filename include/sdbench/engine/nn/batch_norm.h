#pragma once

#include <string_view>

#include "sdbench/engine/nn/weight_source.h"

namespace sdbench {

/// What a network computes for. In training, batch norm takes the mean and variance of the batch
/// and moves its running ones towards them, and dropout drops.
enum class Mode { kInfer, kTrain };

/// Added to each variance, as torch.nn.BatchNorm2d's.
inline constexpr double kBatchNormEps = 1e-5;

/// Batch norm over N, H and W of each channel, as torch.nn.BatchNorm2d's (momentum 0.1).
/// Keys: `weight`, `bias`, `running_mean`, `running_var`, each [channels].
class BatchNorm2d {
public:
  BatchNorm2d(const Weights& weights, std::int64_t channels);
  /// x [N, channels, H, W], shape kept. kTrain writes the running mean and variance. Throws Error
  /// where kTrain has but one value of a channel, which has no variance.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, Mode mode) const;

private:
  at::Tensor weight_;
  at::Tensor bias_;
  at::Tensor running_mean_;
  at::Tensor running_var_;
};

/// Whether a tensor of that name is what batch norm keeps of the batches: no optimiser changes it.
[[nodiscard]] bool is_running_statistic(std::string_view name);

} // namespace sdbench
