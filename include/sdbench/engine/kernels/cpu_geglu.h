#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// The instructions that cpu_geglu() uses for `both` on the CPU. Empty unless the rows of `both`
/// are dense, each half of a row is a multiple of 16 elements, and this processor has instructions
/// for the dtype.
[[nodiscard]] std::optional<CpuInstructions> cpu_geglu_instructions(const at::Tensor& both);

/// `both` [..., 2 * inner] holds a value in the first half of each row and a gate in the second.
/// Returns the value times the exact GELU of the gate, [..., inner]. Computes in fp32 and rounds
/// once. cpu_geglu_instructions() must accept `both`.
[[nodiscard]] at::Tensor cpu_geglu(const at::Tensor& both, CpuInstructions instructions);

} // namespace sdbench
