#pragma once

#include <memory>
#include <optional>

#include "sdbench/engine/kernels/cpu_group_norm.h"
#include "sdbench/engine/nn/weight_source.h"

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
  enum class Then { kNothing, kSilu };
  /// By the kernel of our own that takes such an image; nothing if there is none.
  [[nodiscard]] std::optional<at::Tensor> by_kernel(const at::Tensor& x, Then then) const;

  at::Tensor weight_;
  at::Tensor bias_;
  std::int64_t groups_;
  double eps_;
  std::optional<CpuGroupNorm> cpu_kernel_;
  std::shared_ptr<const GpuKernels> gpu_kernels_; ///< may be null
};

/// Over the last dimension. Keys: `weight` [channels], `bias` [channels].
class LayerNorm {
public:
  LayerNorm(const Weights& weights, std::int64_t channels, double eps = 1e-5);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [..., channels], shape kept
  struct SumAndNorm {
    at::Tensor sum;
    at::Tensor normed;
  };
  /// a + b, both [..., channels], and its norm.
  [[nodiscard]] SumAndNorm of_sum(const at::Tensor& a, const at::Tensor& b) const;
  /// Whether of_sum() may do both in one; else the sum is better left to the layer before it.
  [[nodiscard]] bool joins_sums() const { return kernels_ != nullptr; }

private:
  at::Tensor weight_;
  at::Tensor bias_;
  double eps_;
  std::shared_ptr<const GpuKernels> kernels_; ///< may be null
};

} // namespace sdbench
