#pragma once

#include <memory>
#include <optional>

#include <ATen/core/Tensor.h>

#include "sdbench/kernels/cpu_instructions.h"

namespace sdbench {

/// A linear layer on the CPU by kernels of our own. The weight lies in panels of 16 outputs, which
/// a product reads from begin to end; sums are fp32 and rounded once, with the bias, which is kept
/// in fp32.
class CpuLinear {
public:
  /// The instructions to multiply `weight` [out, in] with: none where the processor has none for
  /// its dtype, or where `in` is no whole number of tile rows (16 fp32, 32 bf16).
  [[nodiscard]] static std::optional<CpuInstructions> instructions(const at::Tensor& weight);

  /// `bias` [out], or none. `instructions` must be for the weight's dtype.
  CpuLinear(const at::Tensor& weight, const std::optional<at::Tensor>& bias,
            CpuInstructions instructions);

  /// x [..., in] -> [..., out], both of the weight's dtype. Throws Error if x is not.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const;

private:
  struct Impl;
  std::shared_ptr<const Impl> impl_; ///< shared by copies, as tensors are
};

} // namespace sdbench
