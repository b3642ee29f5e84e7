#pragma once

#include <set>
#include <string>
#include <vector>

#include "sdbench/nn/weight_source.h"
#include "sdbench/weights/checkpoint.h"

namespace sdbench {

/// Weights of a checkpoint on disk. On the CPU in the files' own dtype the tensors *are* the mapped
/// files (no copy; the mapping lives as long as a tensor does); otherwise each is converted, or
/// copied to the device, on its own, so that no host memory beyond one tensor is needed at a time.
class CheckpointSource final : public WeightSource {
public:
  /// `component`: its folder name ("unet", …), for errors and for the keys that a pipeline has no
  /// use for.
  CheckpointSource(ComponentWeights weights, std::string component, at::ScalarType dtype,
                   at::Device device);

  /// Shape [rows, columns] views of transposed data are answered with exchanged strides.
  [[nodiscard]] at::Tensor take(const std::string& name, at::IntArrayRef shape) override;
  /// Throws Error. The VAE's encoder and position_ids are not unexpected.
  void finish() override;

private:
  [[nodiscard]] at::Tensor placeholder(at::IntArrayRef shape) const;
  [[nodiscard]] bool may_be_left(const std::string& name) const;

  ComponentWeights weights_;
  std::string component_;
  at::ScalarType dtype_;
  at::Device device_;
  std::set<std::string> taken_;
  std::vector<std::string> missing_;
  std::vector<std::string> unfit_; ///< "name must be …, but is …"
};

} // namespace sdbench
