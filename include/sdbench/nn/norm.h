#pragma once

#include "sdbench/nn/weight_source.h"

namespace sdbench {

struct GroupNormShape {
  std::int64_t channels = 0;
  std::int64_t groups = 32;
  double eps = 1e-5;
};

/// Keys: `weight` [channels], `bias` [channels].
class GroupNorm {
public:
  GroupNorm(const Weights& weights, const GroupNormShape& shape);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [N, channels, ...], shape kept
  /// SiLU of that.
  [[nodiscard]] at::Tensor silu(const at::Tensor& x) const;

private:
  at::Tensor weight_;
  at::Tensor bias_;
  std::int64_t groups_;
  double eps_;
};

/// Over the last dimension. Keys: `weight` [channels], `bias` [channels].
class LayerNorm {
public:
  LayerNorm(const Weights& weights, std::int64_t channels, double eps = 1e-5);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [..., channels], shape kept

private:
  at::Tensor weight_;
  at::Tensor bias_;
  double eps_;
};

} // namespace sdbench
