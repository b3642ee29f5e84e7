#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/synthetic.h"

namespace sdbench {

/// An InParts that runs on libtorch's threads. Other threads would have to wait for a core, because
/// libtorch's threads spin for some milliseconds after each task.
void in_parts_by_libtorch(std::size_t count, const FillChunks& fill);

/// Returns synthetic weights (nn/synthetic.h) for every name and shape, so that only the
/// constructors of the layers define the architecture. For a CPU, weights are generated in place.
/// For another device, each tensor is generated on the host and copied, so that its bits are the
/// same as on a CPU.
class SyntheticSource final : public LayerSource {
public:
  /// `component`: name of the component's folder; it is hashed into each tensor's Philox key.
  /// `dtype`: fp32, fp16 or bf16.
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
