#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/base/weights/loaded_weights.h"
#include "sdbench/engine/nn/weight_source.h"

namespace sdbench {

/// Weights of a checkpoint on disk. On the CPU in the files' own dtype the tensors *are* the mapped
/// files (no copy; the mapping lives as long as a tensor does); otherwise each is converted, or
/// copied to the device, on its own, so that no host memory beyond one tensor is needed at a time.
/// Weights in fp8 are widened; where a file has a scale beside them (ComfyUI's scaled fp8), they
/// are multiplied by it.
class CheckpointSource final : public WeightSource {
public:
  /// `component`: its folder name ("unet", …), for errors and for the keys that a pipeline has no
  /// use for. `found`, if given, is told by finish() what was read and what was ignored.
  CheckpointSource(ComponentWeights weights, std::string component, at::ScalarType dtype,
                   at::Device device, std::shared_ptr<LoadedWeights> found = nullptr);

  /// Shape [rows, columns] views of transposed data are answered with exchanged strides.
  [[nodiscard]] at::Tensor take(const std::string& name, at::IntArrayRef shape) override;
  /// Throws Error. What the pipeline has no use for is not unexpected: the VAE's encoder, or the
  /// vision tower beside a text encoder.
  void finish() override;

private:
  [[nodiscard]] at::Tensor placeholder(at::IntArrayRef shape) const;
  [[nodiscard]] at::Tensor mapped(const TensorView& view) const;
  /// What a weight is to be multiplied by; undefined: it stands alone.
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
