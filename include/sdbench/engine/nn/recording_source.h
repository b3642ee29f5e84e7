#pragma once

#include <cstdint>
#include <vector>

#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

/// Records which tensors the constructors of a model take. Returns tensors on the meta device,
/// which hold no data.
class RecordingSource final : public LayerSource {
public:
  explicit RecordingSource(at::ScalarType dtype) : dtype_(dtype) {}

  [[nodiscard]] at::Tensor take(const std::string& name, at::IntArrayRef shape) override;

  /// The tensors in the order they were taken, each with the source's dtype.
  [[nodiscard]] const std::vector<TensorDeclaration>& tensors() const { return tensors_; }

private:
  at::ScalarType dtype_;
  std::vector<TensorDeclaration> tensors_;
};

} // namespace sdbench
