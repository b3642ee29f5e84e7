#pragma once

#include <optional>
#include <string_view>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// The instructions that the attention of our own is written in. Both use AVX-512 for the softmax.
enum class AttentionInstructions {
  kAvx512, ///< fp32 products in AVX-512
  kAmx,    ///< bf16 products in AMX tiles
};

/// "avx512", "amx": what `attention_used` says.
[[nodiscard]] std::string_view name_of(AttentionInstructions instructions);

/// What a processor offers of them.
struct CpuFeatures {
  bool avx512 = false; ///< AVX-512 F
  bool amx = false; ///< AMX tiles with bf16 and AVX-512's conversions to it, and leave to use them
};

/// This processor's, looked up once; AMX's leave is asked of the operating system then.
[[nodiscard]] const CpuFeatures& cpu_features();

/// The instructions for tensors of `dtype`; nothing if there are none for it or the processor lacks
/// them.
[[nodiscard]] std::optional<AttentionInstructions>
attention_instructions(at::ScalarType dtype, const CpuFeatures& features = cpu_features());

/// softmax(q kᵀ / sqrt(D)) v on the CPU, as FlashAttention does it (Dao et al. 2022,
/// arXiv:2205.14135): no score leaves the cache. q [B, heads, N, D]; k, v [B, heads, M, D], all of
/// one dtype that attention_instructions() knows, with D dense -> [B, heads, N, D], with the heads
/// of a token side by side in memory. Sums are fp32; weights are rounded to the dtype before they
/// meet v, as libtorch's kernel rounds them.
[[nodiscard]] at::Tensor cpu_attention(const at::Tensor& q, const at::Tensor& k,
                                       const at::Tensor& v);

} // namespace sdbench
