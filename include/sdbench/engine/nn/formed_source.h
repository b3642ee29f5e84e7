#pragma once

#include <memory>
#include <utility>

#include "sdbench/engine/nn/weight_source.h"

namespace sdbench {

/// What a run wants of its weights beyond dtype and device.
struct WeightForm {
  at::MemoryFormat memory_format = at::MemoryFormat::Contiguous; ///< of convolutions
  /// Marks the weights as parameters: only of those does autocast keep its lower-precision copies,
  /// so that each is converted once a stage and not once a step.
  bool for_autocast = false;
  Packing packing = Packing::kNone; ///< see packed_weights.h; not beside for_autocast
  bool fold_norms = false;          ///< batch norms into convolutions: for inference
  bool cpu_kernels = false;         ///< our own, on a CPU
  std::shared_ptr<const GpuKernels> gpu_kernels = {}; ///< of the weights' device and dtype, or null
};

/// Another source's weights in the form that is wanted.
class FormedSource final : public WeightSource {
public:
  FormedSource(std::unique_ptr<WeightSource> source, const WeightForm& form)
      : source_(std::move(source)), form_(form) {}

  [[nodiscard]] at::Tensor take(const std::string& name, at::IntArrayRef shape) override;
  [[nodiscard]] Packing packing() const override { return form_.packing; }
  [[nodiscard]] bool folds_norms() const override { return form_.fold_norms; }
  [[nodiscard]] bool has_cpu_kernels() const override { return form_.cpu_kernels; }
  [[nodiscard]] std::shared_ptr<const GpuKernels> gpu_kernels() const override {
    return form_.gpu_kernels;
  }
  void finish() override { source_->finish(); }

private:
  std::unique_ptr<WeightSource> source_;
  WeightForm form_;
};

} // namespace sdbench
