#pragma once

#include <optional>

#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/norm.h"

namespace sdbench {

struct ResnetShape {
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::optional<std::int64_t> time_channels; ///< width of the time embedding; empty in the VAE
  std::int64_t norm_groups = 32;
  double norm_eps = 1e-5;
};

/// diffusers' ResnetBlock2D: norm, SiLU and convolution, twice; then a residual connection. Keys:
/// `norm1 conv1 [time_emb_proj] norm2 conv2 [conv_shortcut]`. There is a `conv_shortcut` if the
/// number of channels changes.
class ResnetBlock {
public:
  ResnetBlock(const Weights& weights, const ResnetShape& shape);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [B, in, H, W] -> [B, out, H, W]
  /// `shift` [B or 1, out, 1, 1]: added after the first convolution, one for each image or one for
  /// all images. See time_shifts().
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const at::Tensor& shift) const;
  /// Computes the shifts [N, out, 1, 1] from `time` [N, time_channels]: N time embeddings after
  /// SiLU. They contain the first convolution's bias if that convolution does not add it.
  [[nodiscard]] at::Tensor time_shifts(const at::Tensor& time) const;
  /// True if the block adds its biases itself: with GPU kernels and images channels-last.
  [[nodiscard]] bool adds_biases() const { return sum_bias_.defined(); }
  /// Makes the block also add `bias` [out] to its result. Only if adds_biases().
  void add_to_result(const at::Tensor& bias);
  /// Makes this the block of an input that lacks a bias. Only if adds_biases().
  void accept_input_without(const LackingBias& lacking);

private:
  void take_biases();
  /// `shift` may be undefined.
  [[nodiscard]] at::Tensor shifted(const at::Tensor& x, const at::Tensor& shift) const;

  GroupNorm norm1_;
  Conv2d conv1_;
  std::optional<Linear> time_emb_proj_;
  GroupNorm norm2_;
  Conv2d conv2_;
  std::optional<Conv2d> conv_shortcut_;
  // What take_biases() took, else undefined:
  at::Tensor conv1_bias_; ///< [1, out, 1, 1], unless the time shifts contain it
  at::Tensor sum_bias_;   ///< [out]: conv2's bias, conv_shortcut's, and what else the block adds
};

/// Leaves the bias of a layer that adds its product to an image in place to `maker`, the block that
/// makes the image; `norm`, which reads the image before that layer, takes the bias off again.
/// Returns false, and changes nothing, if there is no bias or the block does not add its own
/// biases.
[[nodiscard]] bool leave_bias(const LackingBias& bias, ResnetBlock& maker, GroupNorm& norm);

} // namespace sdbench
