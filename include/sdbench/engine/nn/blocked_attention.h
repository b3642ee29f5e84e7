#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Largest number of scores in memory at one time. In fp32 they take 268 MB, and their softmax
/// another 268 MB. The VAE's last layers take at least as much for images that fill a block.
inline constexpr std::int64_t kMostScores = std::int64_t{1} << 26;

/// Computes softmax(q kᵀ / sqrt(D)) v with ATen's matrix products and softmax, one block of queries
/// after the other. `most`: maximum number of scores of a block; a block has at least one query.
/// Meant for heads that are too wide for fused kernels. q [B, heads, N, D]; k, v [B, heads, M, D]
/// -> [B, heads, N, D]. Only the softmax weights are rounded to q's dtype, as in fused kernels.
/// Scores in bf16 would be too coarse: if 20 is rounded, its weight changes by up to 6 %.
[[nodiscard]] at::Tensor blocked_attention(const at::Tensor& q, const at::Tensor& k,
                                           const at::Tensor& v, std::int64_t most = kMostScores);

/// True if libtorch can write the product of two 16-bit matrices of this dtype in fp32 on a GPU:
/// from libtorch 2.8 on, but not in fp16 with fp16 accumulation, and in bf16 only since Ampere.
[[nodiscard]] bool can_widen_products(at::ScalarType dtype);

/// Computes softmax(scale q k) in q's dtype, from scores in fp32. q [B, N, D]; k [B, D, M] -> [B,
/// N, M]. Without can_widen_products(), a GPU needs fp32 products for this, which are slow.
[[nodiscard]] at::Tensor weights_of_wide_scores(const at::Tensor& q, const at::Tensor& k,
                                                double scale);

/// Computes the same from scores in q's dtype, for a GPU without can_widen_products(). A first
/// product finds the largest score of each query, a second one subtracts it before the scores are
/// rounded. So scores are close to 0 where their weights are large, and are rounded finely there.
[[nodiscard]] at::Tensor weights_of_shifted_scores(const at::Tensor& q, const at::Tensor& k,
                                                   double scale);

} // namespace sdbench
