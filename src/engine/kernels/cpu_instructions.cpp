#include "sdbench/engine/kernels/cpu_instructions.h"

#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace sdbench {
namespace {

#if defined(__x86_64__)

/// Linux lets a process use the tile registers only after it asks
/// (Documentation/arch/x86/xstate.rst).
bool may_use_tiles() {
  constexpr long kRequestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;              // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

/// Older compilers do not know these bits by name.
bool has_amx_bf16() {
  constexpr unsigned kBf16 = 1U << 22U;
  constexpr unsigned kTile = 1U << 24U;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & kBf16) != 0 && (d & kTile) != 0;
}

CpuFeatures look_up() {
  __builtin_cpu_init();
  CpuFeatures features;
  features.avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  features.avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  features.avx512_bf16 = features.avx512 && __builtin_cpu_supports("avx512bf16") != 0;
  features.amx = features.avx512_bf16 && has_amx_bf16() && may_use_tiles();
  return features;
}

#else

CpuFeatures look_up() {
  return {};
}

#endif

const CpuFeatures& features_without_limit() {
  static const CpuFeatures features = look_up();
  return features;
}

/// Read once, as libtorch does.
const std::string& aten_cpu_capability() {
  static const std::string capability = [] {
    const char* const value = std::getenv("ATEN_CPU_CAPABILITY");
    return std::string(value == nullptr ? "" : value);
  }();
  return capability;
}

} // namespace

CpuFeatures limited(const CpuFeatures& features, std::string_view capability) {
  if (capability == "default") {
    return {};
  }
  return capability == "avx2" ? CpuFeatures{.avx2 = features.avx2} : features;
}

const CpuFeatures& cpu_features() {
  static const CpuFeatures features = limited(features_without_limit(), aten_cpu_capability());
  return features;
}

std::string_view name_of(CpuInstructions instructions) {
  switch (instructions) {
  case CpuInstructions::kAvx2:
    return "avx2";
  case CpuInstructions::kAvx512:
    return "avx512";
  case CpuInstructions::kAvx512Bf16:
    return "avx512_bf16";
  case CpuInstructions::kAmx:
    break;
  }
  return "amx";
}

at::ScalarType dtype_of(CpuInstructions instructions) {
  switch (instructions) {
  case CpuInstructions::kAvx2:
  case CpuInstructions::kAvx512:
    return at::kFloat;
  case CpuInstructions::kAvx512Bf16:
  case CpuInstructions::kAmx:
    break;
  }
  return at::kBFloat16;
}

std::optional<CpuInstructions> cpu_instructions(at::ScalarType dtype, const CpuFeatures& features) {
  if (dtype == at::kFloat && features.avx512) {
    return CpuInstructions::kAvx512;
  }
  if (dtype == at::kFloat && features.avx2) {
    return CpuInstructions::kAvx2;
  }
  if (dtype == at::kBFloat16 && features.amx) {
    return CpuInstructions::kAmx;
  }
  if (dtype == at::kBFloat16 && features.avx512_bf16) {
    return CpuInstructions::kAvx512Bf16;
  }
  return std::nullopt;
}

std::string limit_on(at::ScalarType dtype, const CpuFeatures& features,
                     std::string_view capability) {
  const bool is_limit =
      cpu_instructions(dtype, features) && !cpu_instructions(dtype, limited(features, capability));
  return is_limit ? "ATEN_CPU_CAPABILITY=" + std::string(capability) : "";
}

std::string limit_on(at::ScalarType dtype) {
  return limit_on(dtype, features_without_limit(), aten_cpu_capability());
}

} // namespace sdbench
