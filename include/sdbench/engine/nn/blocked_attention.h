#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Most scores held at a time. Their softmax takes as much again: 134 MB each in 16 bits.
inline constexpr std::int64_t kMostScores = std::int64_t{1} << 26;

/// softmax(q kᵀ / sqrt(D)) v by ATen's matrix products and softmax, block by block of queries. A
/// block has at most `most` scores, or a single query. For heads that are too wide for fused
/// kernels. q [B, heads, N, D]; k, v [B, heads, M, D] -> [B, heads, N, D]. Scores and softmax
/// weights are rounded to q's dtype, as in diffusers' attention processor without fused kernels.
[[nodiscard]] at::Tensor blocked_attention(const at::Tensor& q, const at::Tensor& k,
                                           const at::Tensor& v, std::int64_t most = kMostScores);

} // namespace sdbench
