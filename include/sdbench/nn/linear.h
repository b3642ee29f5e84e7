#pragma once

#include <optional>

#include "sdbench/nn/packed_weights.h"
#include "sdbench/nn/weight_source.h"

namespace sdbench {

enum class Bias { kNo, kYes };

/// Linear layer. Keys: `weight` [out, in], `bias` [out] unless Bias::kNo.
class Linear {
public:
  Linear(const Weights& weights, std::int64_t in, std::int64_t out, Bias bias = Bias::kYes);
  /// Of tensors that are taken already. `weights`: whose source says what is wanted of them.
  Linear(const Weights& weights, at::Tensor weight, at::Tensor bias);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [..., in] -> [..., out]
  /// That plus `other` [..., out].
  [[nodiscard]] at::Tensor plus(const at::Tensor& x, const at::Tensor& other) const;
  /// That times GELU of `gate`'s own. Both must be of a source that wants fused layers.
  [[nodiscard]] at::Tensor gated_by(const Linear& gate, const at::Tensor& x) const;
  [[nodiscard]] at::TensorOptions options() const { return options_; } ///< dtype and device

private:
  void pack(const Weights& weights);

  at::Tensor weight_; ///< undefined if it is packed
  std::optional<PackedLinear> packed_;
  bool fuses_ = false;
  at::TensorOptions options_; ///< of the weight as it was taken
  std::optional<at::Tensor> bias_;
};

} // namespace sdbench
