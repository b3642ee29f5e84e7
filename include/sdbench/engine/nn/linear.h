#pragma once

#include <optional>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"

namespace sdbench {

enum class Bias { kNo, kYes };

/// The sum of the biases that a residual stream still lacks, fp32 [channels]. Empty if it lacks
/// none. On a GPU a layer adds only its product to the stream, in place; the layers that read the
/// stream add the biases. So there is no pass over memory for the sum or for a bias.
using LackingBias = std::optional<at::Tensor>;

/// Returns the sum of both, of which each may be empty.
[[nodiscard]] LackingBias sum_of(const LackingBias& one, const LackingBias& other);

/// Linear layer. Keys: `weight` [out, in], `bias` [out] unless Bias::kNo.
class Linear {
public:
  Linear(const Weights& weights, std::int64_t in, std::int64_t out, Bias bias = Bias::kYes);
  /// Takes an existing weight and bias, and does not pack them. `adds_in_place`: see added_to().
  Linear(at::Tensor weight, std::optional<at::Tensor> bias, bool adds_in_place = false);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [..., in] -> [..., out]
  /// Adds `more` [out] to the bias. Only if there is a bias, and if it is not packed.
  void add_to_bias(const at::Tensor& more);
  /// Returns stream + layer(x), both [..., out]. With GPU kernels, overwrites `stream`, which must
  /// be contiguous, and returns it; the result then lacks left_out().
  [[nodiscard]] at::Tensor added_to(const at::Tensor& stream, const at::Tensor& x) const;
  /// The bias that added_to() leaves out; empty without GPU kernels.
  [[nodiscard]] LackingBias left_out() const;
  /// Makes this the layer of an input that lacks a bias: adds the bias's product to its own bias.
  void accept_input_without(const LackingBias& lacking);
  [[nodiscard]] at::TensorOptions options() const { return options_; } ///< dtype and device

private:
  at::Tensor weight_; ///< undefined if packed
  std::optional<PackedLinear> packed_;
  at::TensorOptions options_; ///< dtype and device of the weight before packing
  std::optional<at::Tensor> bias_;
  bool adds_in_place_ = false;
};

} // namespace sdbench
