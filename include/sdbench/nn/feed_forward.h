#pragma once

#include "sdbench/nn/linear.h"

namespace sdbench {

/// GEGLU feed-forward, four times as wide inside. Keys: `net.0.proj` (value and gate, exact gelu),
/// `net.2`.
class FeedForward {
public:
  FeedForward(const Weights& weights, std::int64_t channels);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [B, N, channels], shape kept

private:
  Linear proj_;
  Linear out_;
};

} // namespace sdbench
