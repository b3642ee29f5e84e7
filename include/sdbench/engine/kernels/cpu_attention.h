#pragma once

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// Computes softmax(q kᵀ / sqrt(D)) v on the CPU with the algorithm of FlashAttention (Dao et al.
/// 2022, arXiv:2205.14135): the scores never leave the cache. q [B, heads, N, D]; k, v [B, heads,
/// M, D] -> [B, heads, N, D]. Copies a tensor whose last dimension is not dense. In the result the
/// heads of a token are adjacent in memory. Sums are fp32; softmax weights are rounded to the dtype
/// before the product with v, as in libtorch's kernel. The processor must have `instructions`.
/// Throws Error if `instructions` do not compute in the dtype of q, k or v, or if the shapes do not
/// match.
[[nodiscard]] at::Tensor cpu_attention(const at::Tensor& q, const at::Tensor& k,
                                       const at::Tensor& v, CpuInstructions instructions);

} // namespace sdbench
