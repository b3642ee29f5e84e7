#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <c10/core/ScalarType.h>

namespace sdbench {

/// The instruction sets of our own kernels. The bf16 kernels use AVX-512 for everything but the
/// products.
enum class CpuInstructions {
  kAvx2,       ///< fp32 with AVX2 and FMA
  kAvx512,     ///< fp32 with AVX-512
  kAvx512Bf16, ///< bf16 with AVX-512 BF16: dot products of two elements each
  kAmx,        ///< bf16 with AMX: matrix products of tiles
};

/// "avx2", "avx512", "avx512_bf16" or "amx", as in a record's `attention_used`.
[[nodiscard]] std::string_view name_of(CpuInstructions instructions);

/// The dtype of the tensors that kernels with these instructions take: fp32 or bf16.
[[nodiscard]] at::ScalarType dtype_of(CpuInstructions instructions);

/// The instruction sets that a processor has, or the part of these sets that we may use.
struct CpuFeatures {
  bool avx2 = false;        ///< AVX2 and FMA
  bool avx512 = false;      ///< AVX-512 F and DQ
  bool avx512_bf16 = false; ///< avx512, and AVX-512 BF16 for products and conversions
  bool amx = false;         ///< avx512_bf16, AMX for bf16, and the system's permission to use AMX

  friend bool operator==(const CpuFeatures&, const CpuFeatures&) = default;
};

/// `features` as limited by the environment variable ATEN_CPU_CAPABILITY, whose value is
/// `capability`: "default" leaves no instruction set, "avx2" leaves only AVX2, and any other value,
/// or an empty one, leaves all. libtorch reads the variable the same way (compute_cpu_capability in
/// ATen's DispatchStub.cpp).
[[nodiscard]] CpuFeatures limited(const CpuFeatures& features, std::string_view capability);

/// The features of this processor, limited by ATEN_CPU_CAPABILITY. The first call finds them and
/// asks the operating system for permission to use AMX.
[[nodiscard]] const CpuFeatures& cpu_features();

/// The best instructions for tensors of `dtype`. Empty if no kernel of ours takes this dtype or the
/// processor lacks the instructions.
[[nodiscard]] std::optional<CpuInstructions>
cpu_instructions(at::ScalarType dtype, const CpuFeatures& features = cpu_features());

/// If a processor with `features` has instructions for `dtype`, but ATEN_CPU_CAPABILITY forbids
/// them, returns the setting, such as "ATEN_CPU_CAPABILITY=avx2". Else returns an empty string.
[[nodiscard]] std::string limit_on(at::ScalarType dtype, const CpuFeatures& features,
                                   std::string_view capability);
/// Returns limit_on() for this processor and the ATEN_CPU_CAPABILITY of this process.
[[nodiscard]] std::string limit_on(at::ScalarType dtype);

} // namespace sdbench
