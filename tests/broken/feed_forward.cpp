// src/engine/nn/feed_forward.cpp with a subtle mistake: gelu's tanh approximation, off by at most
// 0.0005.
#include "sdbench/engine/nn/feed_forward.h"

#include <vector>

#include "sdbench/engine/nn/layer_source.h"

#include <ATen/ATen.h>

namespace sdbench {

Geglu::Geglu(const Weights& weights, std::int64_t in, std::int64_t out)
    : both_(weights, in, 2 * out) {}

at::Tensor Geglu::operator()(const at::Tensor& x) const {
  const std::vector<at::Tensor> halves = both_(x).chunk(2, -1);
  return halves[0] * at::gelu(halves[1], "tanh");
}

FeedForward::FeedForward(const Weights& weights, std::int64_t channels)
    : proj_(weights / "net" / 0 / "proj", channels, 4 * channels),
      out_(weights / "net" / 2, 4 * channels, channels) {}

at::Tensor FeedForward::operator()(const at::Tensor& x) const {
  return out_(proj_(x));
}

at::Tensor FeedForward::added_to(const at::Tensor& stream, const at::Tensor& x) const {
  return out_.added_to(stream, proj_(x));
}

} // namespace sdbench
