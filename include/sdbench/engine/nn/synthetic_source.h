#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sdbench/base/weights/synthetic.h"
#include "sdbench/engine/nn/weight_source.h"

namespace sdbench {

/// For fill_synthetic(): libtorch's threads. Others beside them would wait for a core, because for
/// some milliseconds after each work libtorch's threads look for the next without sleeping.
void in_parts_by_libtorch(std::size_t count, const FillChunks& fill);

/// Answers every name with synthetic weights (weights/synthetic.h), so that the architecture *is*
/// the constructors. On the CPU they are generated in place; for a device, one tensor at a time on
/// the host and then copied, because the bits must be the same.
class SyntheticSource final : public WeightSource {
public:
  /// `component`: its folder name, part of each tensor's key. `dtype`: fp32, fp16 or bf16. As many
  /// threads as libtorch uses.
  SyntheticSource(std::uint64_t seed, std::string component, at::ScalarType dtype,
                  at::Device device);

  [[nodiscard]] at::Tensor take(const std::string& name, at::IntArrayRef shape) override;

private:
  std::uint64_t seed_;
  std::string component_;
  at::ScalarType dtype_;
  at::Device device_;
};

} // namespace sdbench
