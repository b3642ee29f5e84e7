#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/kernels/cpu_instructions.h"

namespace sdbench {

struct CpuGroupNorm {
  std::int64_t groups = 1;
  double eps = 1e-5;
  bool silu = false; ///< SiLU of the norm
};

/// The instructions for the group norm of `x` on the CPU: none unless it is [N, C, H, W],
/// channels-last, with C a multiple of 16, in a dtype that this processor has instructions for.
[[nodiscard]] std::optional<CpuInstructions> cpu_group_norm_instructions(const at::Tensor& x);

/// Group norm, and SiLU of it, in two passes over the image: sums, then values. `x` as above;
/// weight, bias [C] in its dtype -> [N, C, H, W], channels-last. Sums are fp32 over 64 pixels and
/// fp64 beyond; the result is rounded once. The number of threads changes no bit. Throws Error if
/// `groups` does not divide C.
[[nodiscard]] at::Tensor cpu_group_norm(const at::Tensor& x, const at::Tensor& weight,
                                        const at::Tensor& bias, const CpuGroupNorm& norm,
                                        CpuInstructions instructions);

} // namespace sdbench
