#pragma once

#include <cstdint>
#include <memory>

#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// GEGLU: projects the input to a value and a gate, and returns the value times the exact GELU of
/// the gate. Keys: `weight` and `bias`, each for both projections, value first.
class Geglu {
public:
  Geglu(const Weights& weights, std::int64_t in, std::int64_t out);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [..., in] -> [..., out]

private:
  Linear both_; ///< both projections as one layer
  bool has_cpu_kernels_;
  std::shared_ptr<const GpuKernels> gpu_kernels_; ///< for value * GELU(gate); may be null
};

/// GEGLU feed-forward with an inner width of four times the channels. Keys: `net.0.proj`, `net.2`.
class FeedForward {
public:
  FeedForward(const Weights& weights, std::int64_t channels);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [B, N, channels], shape kept
  /// Returns stream + layer(x): see Linear::added_to().
  [[nodiscard]] at::Tensor added_to(const at::Tensor& stream, const at::Tensor& x) const;
  [[nodiscard]] LackingBias left_out() const { return out_.left_out(); }

private:
  Geglu proj_;
  Linear out_;
};

} // namespace sdbench
