#pragma once

#include <optional>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"

namespace sdbench {

enum class Bias { kNo, kYes };

/// Linear layer. Keys: `weight` [out, in], `bias` [out] unless Bias::kNo.
class Linear {
public:
  Linear(const Weights& weights, std::int64_t in, std::int64_t out, Bias bias = Bias::kYes);
  /// Takes an existing weight and bias, and does not pack them.
  Linear(at::Tensor weight, std::optional<at::Tensor> bias);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [..., in] -> [..., out]
  /// Adds `more` [out] to the bias. Only if there is a bias, and if it is not packed.
  void add_to_bias(const at::Tensor& more);
  [[nodiscard]] at::TensorOptions options() const { return options_; } ///< dtype and device

private:
  at::Tensor weight_; ///< undefined if packed
  std::optional<PackedLinear> packed_;
  at::TensorOptions options_; ///< dtype and device of the weight before packing
  std::optional<at::Tensor> bias_;
};

} // namespace sdbench
