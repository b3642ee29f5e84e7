#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <c10/core/ScalarType.h>

namespace sdbench {

/// The instructions that kernels of our own are written in. What is around products of bf16 is
/// in AVX-512.
enum class CpuInstructions {
  kAvx2,       ///< fp32 in AVX2 and FMA
  kAvx512,     ///< fp32 in AVX-512
  kAvx512Bf16, ///< bf16 products in AVX-512's pairs
  kAmx,        ///< bf16 products in AMX tiles
};

/// "avx2", "avx512", "avx512_bf16", "amx": what a record's `attention_used` and
/// `packed_weights_used` say.
[[nodiscard]] std::string_view name_of(CpuInstructions instructions);

/// What they compute in: fp32 or bf16.
[[nodiscard]] at::ScalarType dtype_of(CpuInstructions instructions);

/// What a processor offers of them, or may be asked for.
struct CpuFeatures {
  bool avx2 = false;        ///< AVX2 and FMA
  bool avx512 = false;      ///< AVX-512 F and DQ
  bool avx512_bf16 = false; ///< and its products of bf16 and conversions to it
  bool amx = false;         ///< and AMX tiles with bf16, and leave to use them

  friend bool operator==(const CpuFeatures&, const CpuFeatures&) = default;
};

/// What is left of `features` where the environment variable ATEN_CPU_CAPABILITY is `capability`:
/// of "default" nothing, of "avx2" AVX2, of any other word, or none, all of them. So libtorch takes
/// it for kernels of its own (compute_cpu_capability in ATen's DispatchStub.cpp).
[[nodiscard]] CpuFeatures limited(const CpuFeatures& features, std::string_view capability);

/// This processor's within ATEN_CPU_CAPABILITY, looked up once; AMX's leave is asked of the
/// operating system then.
[[nodiscard]] const CpuFeatures& cpu_features();

/// The instructions for tensors of `dtype`; nothing if there are none for it or the processor lacks
/// them.
[[nodiscard]] std::optional<CpuInstructions>
cpu_instructions(at::ScalarType dtype, const CpuFeatures& features = cpu_features());

/// "ATEN_CPU_CAPABILITY=avx2" where that is why there are none for `dtype`, since a processor with
/// `features` has some; else empty.
[[nodiscard]] std::string limit_on(at::ScalarType dtype, const CpuFeatures& features,
                                   std::string_view capability);
/// Likewise, of this processor and this process.
[[nodiscard]] std::string limit_on(at::ScalarType dtype);

} // namespace sdbench
