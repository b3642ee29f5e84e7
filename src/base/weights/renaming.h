#pragma once

#include <string>
#include <string_view>

#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Collects renamed tensors; two that become one are an error (Error, `origin` before it), not a
/// choice.
class RenamedTensors {
public:
  explicit RenamedTensors(std::string origin) : origin_(std::move(origin)) {}

  void add(const std::string& name, TensorView view, const std::string& name_in_file);
  /// The same of a tensor that tools write at several places: the first of one shape stays.
  void add_spelling(const std::string& name, TensorView view, const std::string& name_in_file);
  [[nodiscard]] TensorMap take() { return std::move(tensors_); }

private:
  std::string origin_;
  TensorMap tensors_;
};

/// A VAE's tensor, given its current name: attention weights that are 1x1 convolutions, [out, in,
/// 1, 1] or [out, in, 1], as the matrices they are.
[[nodiscard]] TensorView vae_view(std::string_view name, TensorView view);

/// Text encoders as transformers 5 writes them get the prefix `text_model.` that all others have.
[[nodiscard]] std::string text_name(const std::string& name);

} // namespace sdbench
