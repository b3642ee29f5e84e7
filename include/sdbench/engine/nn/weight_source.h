#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

namespace sdbench {

class GpuKernels;

/// Who computes linear layers and convolutions of a CPU, and so the order of their weights.
enum class Packing {
  kNone,     ///< libtorch, which brings them into oneDNN's order at each call
  kOneDnn,   ///< oneDNN, in its order from the load on
  kWinograd, ///< CpuWinograd where it fits, else oneDNN as above
};

/// Answers a tensor's name and expected shape with the tensor, in the dtype and on the device of
/// the run. A missing or wrong-shape tensor is noted, answered with an undefined-value placeholder
/// of that shape, and reported by finish() together with every other one and with those that nobody
/// asked for.
class WeightSource {
public:
  virtual ~WeightSource() = default;
  [[nodiscard]] virtual at::Tensor take(const std::string& name, at::IntArrayRef shape) = 0;
  /// Whose kernels layers are to put their weights in order for.
  [[nodiscard]] virtual Packing packing() const { return Packing::kNone; }
  /// Whether a batch norm behind a convolution becomes a part of it, which inference alone allows.
  [[nodiscard]] virtual bool folds_norms() const { return false; }
  /// Whether layers are to compute with our kernels on a CPU, where those fit and ATen's are slow.
  [[nodiscard]] virtual bool has_cpu_kernels() const { return false; }
  /// What layers compute with on a GPU where ATen has no good kernel; null: with ATen's all the
  /// same.
  [[nodiscard]] virtual std::shared_ptr<const GpuKernels> gpu_kernels() const { return nullptr; }
  /// Throws one Error with every missing, unexpected and wrong-shape key. Called once the model is
  /// constructed.
  virtual void finish() {}
};

/// A source and the prefix one stands at: `weights / "down_blocks.0" / "resnets.1"`. What layers
/// are built from.
class Weights {
public:
  explicit Weights(WeightSource& source, std::string prefix = {})
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
  WeightSource* source_;
  std::string prefix_;
};

} // namespace sdbench
