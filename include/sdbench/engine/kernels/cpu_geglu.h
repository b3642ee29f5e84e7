#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// The instructions that cpu_geglu() uses for `both` on the CPU. Nothing unless its rows are dense,
/// each half of a row is a multiple of 16 elements, and this processor has instructions for its
/// dtype.
[[nodiscard]] std::optional<CpuInstructions> cpu_geglu_instructions(const at::Tensor& both);

/// both [..., 2 * inner], value first -> [..., inner]: the value times the exact GELU of the gate,
/// computed in fp32 and rounded once. cpu_geglu_instructions() must accept `both`.
[[nodiscard]] at::Tensor cpu_geglu(const at::Tensor& both, CpuInstructions instructions);

} // namespace sdbench
