#pragma once

#include <memory>
#include <optional>

#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/packed_weights.h"

namespace sdbench {

struct Conv2dShape {
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t kernel = 3;
  std::int64_t stride = 1;
  std::int64_t padding = 1;
  Bias bias = Bias::kYes;
};

/// A convolution's weight, [out, in, k, k].
[[nodiscard]] at::Tensor conv_weight(const Weights& weights, const Conv2dShape& shape);

/// 2-D convolution. Keys: `weight` [out, in, k, k], `bias` [out] unless Bias::kNo.
class Conv2d {
public:
  Conv2d(const Weights& weights, const Conv2dShape& shape);
  /// Takes an existing weight and bias; an undefined bias means no bias.
  Conv2d(at::Tensor weight, const at::Tensor& bias, const Conv2dShape& shape, Packing packing);
  /// [N, in, H, W] -> [N, out, H', W']
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x,
                                      Activation activation = Activation::kNone) const;
  /// Our GPU kernels, if they add the bias; else null.
  [[nodiscard]] const std::shared_ptr<const GpuKernels>& bias_kernels() const {
    return bias_kernels_;
  }
  /// Removes the bias and returns it: the caller adds it. Only if there are bias_kernels().
  [[nodiscard]] at::Tensor take_bias();
  /// What a 1x1 convolution, without its bias, makes of one pixel [in]: fp32 [out].
  [[nodiscard]] at::Tensor of_pixel(const at::Tensor& pixel) const;

private:
  void pack(Packing packing);

  at::Tensor weight_; ///< undefined if packed
  std::optional<PackedConv2d> packed_;
  std::optional<at::Tensor> bias_;
  std::int64_t stride_;
  std::int64_t padding_;
  std::shared_ptr<const GpuKernels> bias_kernels_;
};

/// Adds `bias` [C], and `other` if it is defined, to x [N, C, H, W], in place. libtorch's own
/// convolutions also add their bias in a pass of its own on a GPU, which takes twice as long.
void add_bias(at::Tensor& x, const at::Tensor& bias, const at::Tensor& other,
              const GpuKernels& kernels);

/// 1x1 convolution: a linear layer over channels.
[[nodiscard]] Conv2d pointwise_conv(const Weights& weights, std::int64_t in, std::int64_t out);

} // namespace sdbench
