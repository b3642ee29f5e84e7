#pragma once

#include <memory>
#include <utility>

#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

/// The form in which a run needs its weights, besides dtype and device.
struct WeightForm {
  at::MemoryFormat memory_format =
      at::MemoryFormat::Contiguous; ///< memory format of the convolutions' weights
  /// Marks the weights as parameters. Autocast keeps its lower-precision copies of parameters for a
  /// whole stage, but would convert other tensors again in each step.
  bool for_autocast = false;
  Packing packing = Packing::kNone; ///< see packed_weights.h; not with for_autocast
  bool fold_norms = false;          ///< fold batch norms into convolutions; inference only
  bool cpu_kernels = false;         ///< use our own kernels on a CPU
  /// Our own kernels for a GPU, for the weights' device and dtype; may be null.
  std::shared_ptr<const GpuKernels> gpu_kernels = {};
};

/// Takes weights from another source and converts them to the wanted form.
class FormedSource final : public LayerSource {
public:
  FormedSource(std::unique_ptr<LayerSource> source, const WeightForm& form)
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
  std::unique_ptr<LayerSource> source_;
  WeightForm form_;
};

} // namespace sdbench
