#pragma once

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// Computes softmax(q kᵀ / sqrt(D)) v on the CPU with the algorithm of FlashAttention (Dao et al.
/// 2022, arXiv:2205.14135): the scores never leave the cache. q [B, heads, N, D]; k, v [B, heads,
/// M, D] -> [B, heads, N, D]. An input whose last dimension is not dense is copied first. In
/// memory, the result has the order [B, N, heads, D]. Sums are fp32; softmax weights are rounded to
/// q's dtype before the product with v, as in libtorch's kernel. The processor must support
/// `instructions`. Throws Error if the dtype of q, k or v is not dtype_of(instructions), or if the
/// shapes do not match.
[[nodiscard]] at::Tensor cpu_attention(const at::Tensor& q, const at::Tensor& k,
                                       const at::Tensor& v, CpuInstructions instructions);

} // namespace sdbench
