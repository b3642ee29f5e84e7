#pragma once

#include <vector>

#include <c10/core/ScalarType.h>

#include "catch.h"
#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// A set of instructions, and the dtype that it is for.
struct Kind {
  CpuInstructions instructions;
  at::ScalarType dtype;
};

/// Those of this processor: none on an older one, where the program takes libtorch's kernels and
/// there is nothing to test. One with AMX computes what one without it would, too.
inline std::vector<Kind> kinds() {
  const CpuFeatures& features = cpu_features();
  std::vector<Kind> found;
  if (features.avx2) {
    found.push_back({CpuInstructions::kAvx2, at::kFloat});
  }
  if (features.avx512) {
    found.push_back({CpuInstructions::kAvx512, at::kFloat});
  }
  if (features.avx512_bf16) {
    found.push_back({CpuInstructions::kAvx512Bf16, at::kBFloat16});
  }
  if (features.amx) {
    found.push_back({CpuInstructions::kAmx, at::kBFloat16});
  }
  if (found.empty()) {
    WARN("this processor has neither AVX2 nor AVX-512: nothing is tested here");
  }
  return found;
}

/// Those of them that are for fp32.
inline std::vector<CpuInstructions> fp32_instructions() {
  std::vector<CpuInstructions> found;
  for (const Kind& kind : kinds()) {
    if (kind.dtype == at::kFloat) {
      found.push_back(kind.instructions);
    }
  }
  return found;
}

} // namespace sdbench
