// src/nn/feed_forward.cpp with a subtle mistake: gelu's tanh approximation, off by at most 0.0005.
#include "sdbench/nn/feed_forward.h"

#include <ATen/ATen.h>

namespace sdbench {

FeedForward::FeedForward(const Weights& weights, std::int64_t channels)
    : proj_(weights / "net" / 0 / "proj", channels, 8 * channels),
      out_(weights / "net" / 2, 4 * channels, channels) {}

at::Tensor FeedForward::operator()(const at::Tensor& x) const {
  const std::vector<at::Tensor> halves = proj_(x).chunk(2, -1);
  return out_(halves[0] * at::gelu(halves[1], "tanh"));
}

} // namespace sdbench
