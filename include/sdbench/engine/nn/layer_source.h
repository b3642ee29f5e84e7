#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

namespace sdbench {

class GpuKernels;

/// The implementation of linear layers and convolutions on a CPU, which decides the order of their
/// weights.
enum class Packing {
  kNone,     ///< libtorch, which reorders the weights for oneDNN at each call
  kOneDnn,   ///< oneDNN, with weights in its order since they were loaded
  kWinograd, ///< CpuWinograd where it fits, else oneDNN as above
};

/// Returns tensors by name and expected shape, in the dtype and on the device of the run. For a
/// missing or wrong-shape tensor it returns a placeholder of that shape with undefined values;
/// finish() reports all of them, and the tensors that were never taken.
class LayerSource {
public:
  virtual ~LayerSource() = default;
  [[nodiscard]] virtual at::Tensor take(const std::string& name, at::IntArrayRef shape) = 0;
  /// The implementation for which layers must order their weights.
  [[nodiscard]] virtual Packing packing() const { return Packing::kNone; }
  /// True if batch norms are folded into the preceding convolutions, which only inference allows.
  [[nodiscard]] virtual bool folds_norms() const { return false; }
  /// True if layers on a CPU should use our own kernels where these apply and ATen's are slow.
  [[nodiscard]] virtual bool has_cpu_kernels() const { return false; }
  /// Our kernels for layers on a GPU, where ATen has no good one; null to use ATen's everywhere.
  [[nodiscard]] virtual std::shared_ptr<const GpuKernels> gpu_kernels() const { return nullptr; }
  /// Throws one Error with every missing, unexpected and wrong-shape key. Called once the model is
  /// constructed.
  virtual void finish() {}
};

/// A source and a prefix of names: `weights / "down_blocks.0" / "resnets.1"`. Layers are built from
/// it.
class Weights {
public:
  explicit Weights(LayerSource& source, std::string prefix = {})
      : source_(&source), prefix_(std::move(prefix)) {}

  [[nodiscard]] Weights operator/(std::string_view name) const {
    return Weights(*source_, join(name));
  }
  [[nodiscard]] Weights operator/(std::int64_t index) const {
    return *this / std::string_view(std::to_string(index));
  }
  [[nodiscard]] at::Tensor take(std::string_view name, at::IntArrayRef shape) const {
    return source_->take(join(name), shape);
  }
  [[nodiscard]] Packing packing() const { return source_->packing(); }
  [[nodiscard]] bool folds_norms() const { return source_->folds_norms(); }
  [[nodiscard]] bool has_cpu_kernels() const { return source_->has_cpu_kernels(); }
  [[nodiscard]] std::shared_ptr<const GpuKernels> gpu_kernels() const {
    return source_->gpu_kernels();
  }

private:
  [[nodiscard]] std::string join(std::string_view name) const {
    return prefix_.empty() ? std::string(name) : prefix_ + "." + std::string(name);
  }
  LayerSource* source_;
  std::string prefix_;
};

} // namespace sdbench
