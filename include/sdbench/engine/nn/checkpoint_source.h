#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/loaded_weights.h"

namespace sdbench {

/// Reads weights from a checkpoint on disk. On a CPU, a tensor stored in the run's dtype *is* a
/// view of the mapped file, or a copy if unaligned; the mapping lives as long as any view. Every
/// other tensor is converted or copied to the device separately, so that the host needs memory for
/// only one tensor at a time. fp8 weights are converted to the run's dtype. If the file has a scale
/// for a weight (ComfyUI's scaled fp8), the weight is multiplied by it.
class CheckpointSource final : public LayerSource {
public:
  /// `component`: name of the component's folder ("unet", …), used in errors and to recognise keys
  /// that a pipeline does not use. If `found` is given, finish() stores in it what was read and
  /// what was ignored.
  CheckpointSource(ComponentWeights weights, std::string component, at::ScalarType dtype,
                   at::Device device, std::shared_ptr<LoadedWeights> found = nullptr);

  /// If the file stores a matrix transposed, the returned tensor has `shape` and exchanged strides.
  [[nodiscard]] at::Tensor take(const std::string& name, at::IntArrayRef shape) override;
  /// Throws Error as LayerSource::finish() does, but not for keys that a pipeline does not use,
  /// such as those of the VAE's encoder or of CLIP's vision model.
  void finish() override;

private:
  [[nodiscard]] at::Tensor placeholder(at::IntArrayRef shape) const;
  [[nodiscard]] at::Tensor mapped(const TensorView& view) const;
  /// The scale by which to multiply the weight of this name; undefined if the file has no scale for
  /// it.
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
  std::vector<std::string> unfit_; ///< messages: "NAME must be …, but is …"
};

} // namespace sdbench
