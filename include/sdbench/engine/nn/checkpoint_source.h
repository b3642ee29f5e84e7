#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/loaded_weights.h"

namespace sdbench {

/// Weights of a checkpoint on disk. On the CPU, in the files' dtype, the tensors *are* the mapped
/// files: nothing is copied, and the mapping lives as long as a tensor does. Otherwise each tensor
/// is converted or copied to the device separately, so that the host needs memory for one tensor at
/// a time. fp8 weights are widened and multiplied by their scale if the file has one (ComfyUI's
/// scaled fp8).
class CheckpointSource final : public LayerSource {
public:
  /// `component`: its folder name ("unet", …), for errors and to recognise the keys that a pipeline
  /// does not use. finish() writes to `found`, if given, what was read and what was ignored.
  CheckpointSource(ComponentWeights weights, std::string component, at::ScalarType dtype,
                   at::Device device, std::shared_ptr<LoadedWeights> found = nullptr);

  /// A view of transposed data, [rows, columns], is returned with exchanged strides.
  [[nodiscard]] at::Tensor take(const std::string& name, at::IntArrayRef shape) override;
  /// Throws Error. Keys that the pipeline does not use are not reported as unexpected: the VAE's
  /// encoder, the vision tower beside a text encoder.
  void finish() override;

private:
  [[nodiscard]] at::Tensor placeholder(at::IntArrayRef shape) const;
  [[nodiscard]] at::Tensor mapped(const TensorView& view) const;
  /// The scale to multiply a weight by; undefined if it has no scale.
  [[nodiscard]] at::Tensor take_scale(const std::string& weight);
  [[nodiscard]] bool is_left_silently(const std::string& name) const;
  [[nodiscard]] bool is_ignored(const std::string& name) const;
  [[nodiscard]] bool is_of_later_layer(const std::string& name) const;

  ComponentWeights weights_;
  std::string component_;
  at::ScalarType dtype_;
  at::Device device_;
  std::shared_ptr<LoadedWeights> found_;
  std::set<std::string> taken_;
  std::vector<std::string> missing_;
  std::vector<std::string> unfit_; ///< "name must be …, but is …"
};

} // namespace sdbench
