#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

namespace sdbench {

class GpuKernels;

/// The implementation of linear layers and convolutions on a CPU. It decides the order of their
/// weights in memory.
enum class Packing {
  kNone,     ///< libtorch, which reorders the weights for oneDNN at each call
  kOneDnn,   ///< oneDNN, with weights that are reordered only once, when they are loaded
  kWinograd, ///< CpuWinograd for the convolutions that it can compute, else kOneDnn
};

/// A source of weights for the layers of a model. take() returns a tensor by name and expected
/// shape, in the dtype and on the device of the run. If the tensor is missing or has another shape,
/// take() returns a placeholder of the expected shape with undefined values. finish() reports all
/// such tensors, and the source's tensors that were never taken.
class LayerSource {
public:
  virtual ~LayerSource() = default;
  [[nodiscard]] virtual at::Tensor take(const std::string& name, at::IntArrayRef shape) = 0;
  /// The implementation that layers on a CPU must use, which decides the order of their weights.
  [[nodiscard]] virtual Packing packing() const { return Packing::kNone; }
  /// True if batch norms are folded into the preceding convolutions, which only inference allows.
  [[nodiscard]] virtual bool folds_norms() const { return false; }
  /// True if layers on a CPU should use our own kernels where these apply and ATen's are slow.
  [[nodiscard]] virtual bool has_cpu_kernels() const { return false; }
  /// Our GPU kernels, which layers use instead of ATen's slow operators. If null, layers use only
  /// ATen's operators.
  [[nodiscard]] virtual std::shared_ptr<const GpuKernels> gpu_kernels() const { return nullptr; }
  /// Call it after the model is constructed. Throws one Error for all missing keys, unexpected keys
  /// and wrong shapes.
  virtual void finish() {}
};

/// A source of weights and a prefix for names. Layers are built from it. The operator / extends the
/// prefix: `weights / "down_blocks.0" / "resnets.1"`.
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
