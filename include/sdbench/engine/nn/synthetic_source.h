#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/synthetic.h"

namespace sdbench {

/// Runs fill_synthetic()'s chunks on libtorch's threads. Other threads would wait for a core,
/// because libtorch's threads spin for some milliseconds after each task.
void in_parts_by_libtorch(std::size_t count, const FillChunks& fill);

/// Returns synthetic weights (nn/synthetic.h) for every name, so the constructors alone define
/// the architecture. For the CPU they are generated in place. For another device each tensor is
/// generated on the host and copied, so that the bits are the same.
class SyntheticSource final : public LayerSource {
public:
  /// `component`: its folder name, part of each tensor's key. `dtype`: fp32, fp16 or bf16.
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
