#pragma once

#include <memory>
#include <optional>

#include "sdbench/engine/kernels/cpu_group_norm.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

struct GroupNormShape {
  std::int64_t channels = 0;
  std::int64_t groups = 32;
  double eps = 1e-5;
};

/// Group norm. Keys: `weight` [channels], `bias` [channels].
class GroupNorm {
public:
  GroupNorm(const Weights& weights, const GroupNormShape& shape);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [N, channels, ...], shape kept
  /// The norm followed by SiLU.
  [[nodiscard]] at::Tensor silu(const at::Tensor& x) const;
  /// The same for x + added; `added` [N or 1, channels, 1, 1]. May write the sum into x.
  [[nodiscard]] at::Tensor silu_of_sum(at::Tensor x, const at::Tensor& added) const;

private:
  enum class Then { kNothing, kSilu };
  /// Computes with our own kernel. Empty if no kernel of ours takes `x`.
  [[nodiscard]] std::optional<at::Tensor> by_kernel(const at::Tensor& x, Then then) const;

  at::Tensor weight_;
  at::Tensor bias_;
  std::int64_t groups_;
  double eps_;
  std::optional<CpuGroupNorm> cpu_kernel_;
  std::shared_ptr<const GpuKernels> gpu_kernels_; ///< may be null
};

/// Layer norm over the last dimension. Keys: `weight` [channels], `bias` [channels].
class LayerNorm {
public:
  LayerNorm(const Weights& weights, std::int64_t channels, double eps = 1e-5);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [..., channels], shape kept
  struct SumAndNorm {
    at::Tensor sum;
    at::Tensor normed;
  };
  /// Returns a + b, both [..., channels], and the norm of this sum.
  [[nodiscard]] SumAndNorm of_sum(const at::Tensor& a, const at::Tensor& b) const;
  /// True if of_sum() can compute sum and norm in one kernel. If false, of_sum() is no faster than
  /// an addition followed by the norm.
  [[nodiscard]] bool joins_sums() const { return kernels_ != nullptr; }

private:
  at::Tensor weight_;
  at::Tensor bias_;
  double eps_;
  std::shared_ptr<const GpuKernels> kernels_; ///< may be null
};

} // namespace sdbench
