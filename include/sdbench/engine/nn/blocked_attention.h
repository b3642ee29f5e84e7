#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Scores that are held at a time, and as many weights after their softmax: 134 MB each in 16 bits.
inline constexpr std::int64_t kMostScores = std::int64_t{1} << 26;

/// softmax(q kᵀ / sqrt(D)) v of ATen's matrix products and softmax, over blocks of queries of which
/// each has at most `most` scores, or is one query. For heads that are too wide for fused kernels.
/// q [B, heads, N, D]; k, v [B, heads, M, D] -> [B, heads, N, D]. Scores and weights are rounded to
/// the dtype of q, as diffusers' attention processor without fused kernels does.
[[nodiscard]] at::Tensor blocked_attention(const at::Tensor& q, const at::Tensor& k,
                                           const at::Tensor& v, std::int64_t most = kMostScores);

} // namespace sdbench
