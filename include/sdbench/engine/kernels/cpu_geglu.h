#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {

/// The instructions for the GEGLU of `both` on the CPU: none unless its rows are dense and of two
/// halves by sixteens, in a dtype that this processor has instructions for.
[[nodiscard]] std::optional<CpuInstructions> cpu_geglu_instructions(const at::Tensor& both);

/// both [..., 2 * inner] as above, value first -> [..., inner]: the value times the exact GELU of
/// the gate, in fp32 and rounded once.
[[nodiscard]] at::Tensor cpu_geglu(const at::Tensor& both, CpuInstructions instructions);

} // namespace sdbench
