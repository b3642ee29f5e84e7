#pragma once

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// softmax(q kᵀ / sqrt(D)) v on the CPU, as FlashAttention does it (Dao et al. 2022,
/// arXiv:2205.14135): no score leaves the cache. q [B, heads, N, D]; k, v [B, heads, M, D], with D
/// dense -> [B, heads, N, D], with the heads of a token side by side in memory. Sums are fp32;
/// weights are rounded to the dtype before they meet v, as libtorch's kernel rounds them.
/// `instructions` must be among this processor's. Throws Error if a dtype is not theirs or the
/// shapes do not belong together.
[[nodiscard]] at::Tensor cpu_attention(const at::Tensor& q, const at::Tensor& k,
                                       const at::Tensor& v, CpuInstructions instructions);

} // namespace sdbench
