#include "sdbench/engine/nn/feed_forward.h"

#include <optional>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/engine/kernels/cpu_geglu.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

Geglu::Geglu(const Weights& weights, std::int64_t in, std::int64_t out)
    : both_(weights, in, 2 * out), has_cpu_kernels_(weights.has_cpu_kernels()),
      gpu_kernels_(weights.gpu_kernels()) {}

at::Tensor Geglu::operator()(const at::Tensor& x) const {
  const at::Tensor both = both_(x);
  if (gpu_kernels_ && gpu_kernels_->takes_geglu(both)) {
    return gpu_kernels_->geglu(both);
  }
  if (const auto instructions = has_cpu_kernels_ ? cpu_geglu_instructions(both) : std::nullopt) {
    return cpu_geglu(both, *instructions);
  }
  const std::vector<at::Tensor> halves = both.chunk(2, -1);
  return halves[0] * at::gelu(halves[1]);
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
