#pragma once

#include <memory>
#include <optional>

#include "sdbench/engine/kernels/cpu_group_norm.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/linear.h"

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
  /// The same for x + added; `added` [N or 1, channels, 1, 1]. May write the sum into x. Not for a
  /// norm whose input lacks a bias.
  [[nodiscard]] at::Tensor silu_of_sum(at::Tensor x, const at::Tensor& added) const;
  /// Makes this the norm of an input that lacks a bias, which the norm adds.
  void accept_input_without(const LackingBias& lacking);

private:
  enum class Then { kNothing, kSilu };
  [[nodiscard]] at::Tensor normed(const at::Tensor& x, Then then) const;

  at::Tensor weight_;
  at::Tensor bias_;
  std::int64_t groups_;
  double eps_;
  at::Tensor addend_; ///< [1, channels, 1, 1], added to the input first; undefined if none
  std::optional<CpuGroupNorm> cpu_kernel_;
  std::shared_ptr<const GpuKernels> gpu_kernels_; ///< may be null
};

/// Layer norm over the last dimension. Keys: `weight` [channels], `bias` [channels].
class LayerNorm {
public:
  LayerNorm(const Weights& weights, std::int64_t channels, double eps = 1e-5);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [..., channels], shape kept
  /// Makes this the norm of an input that lacks a bias, which the norm adds.
  void accept_input_without(const LackingBias& lacking);

private:
  at::Tensor weight_;
  at::Tensor bias_;
  double eps_;
  at::Tensor addend_; ///< [channels], added to the input first; undefined without GPU kernels
  std::shared_ptr<const GpuKernels> kernels_; ///< may be null
};

} // namespace sdbench
