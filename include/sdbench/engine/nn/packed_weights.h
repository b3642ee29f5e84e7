#pragma once

#include <optional>
#include <variant>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_winograd.h"
#include "sdbench/engine/nn/weight_source.h"

namespace sdbench {

/// Whether oneDNN computes in bf16 on this processor, within ONEDNN_MAX_CPU_ISA: also where that is
/// by way of fp32, in AVX-512 without products of bf16. False without oneDNN.
[[nodiscard]] bool onednn_has_bf16();

/// Whether oneDNN computes with weights of this kind in an order of its own, into which libtorch
/// otherwise brings them at each call: a CPU's in fp32, and in bf16 if both have it, oneDNN and the
/// processor (`has_bf16`).
[[nodiscard]] bool can_pack(at::Device device, at::ScalarType dtype, bool has_bf16);

/// Seconds that this thread has spent on packing so far: what is between two looks at it went into
/// the layers that were made between them.
[[nodiscard]] double packing_seconds();

/// What follows a layer's sum before it is written.
enum class Activation { kNone, kRelu };
/// In place.
void activate(at::Tensor& x, Activation activation);

/// A linear layer by oneDNN, whose weight [out, in] is in its order, which only it can read; so may
/// its bias [out] be.
class PackedLinear {
public:
  using Bias = std::optional<at::Tensor>;
  PackedLinear(const at::Tensor& weight, Bias bias);
  /// x [..., in] -> [..., out].
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x,
                                      Activation activation = Activation::kNone) const;

private:
  at::Tensor weight_;
  Bias bias_;
};

/// A convolution of weight [out, in, k, k], likewise; `packing` must not be kNone. One of single
/// pixels is a linear layer of them: oneDNN's 1x1 convolution may want another order for an image
/// than the one that it packs without knowing its size, and then reorders the weight at each call.
/// Winograd's are those of 3x3 that keep an image's size.
class PackedConv2d {
public:
  using Bias = std::optional<at::Tensor>;
  PackedConv2d(const at::Tensor& weight, const Bias& bias, std::int64_t stride,
               std::int64_t padding, Packing packing);
  /// x [N, in, H, W] -> [N, out, H', W'], channels-last whatever x is.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x,
                                      Activation activation = Activation::kNone) const;

private:
  struct OneDnn {
    at::Tensor weight;
    Bias bias;
    std::int64_t stride = 1;
    std::int64_t padding = 0;
  };
  using Layer = std::variant<OneDnn, PackedLinear, CpuWinograd>;
  [[nodiscard]] static Layer make(const at::Tensor& weight, const Bias& bias, std::int64_t stride,
                                  std::int64_t padding, Packing packing);

  Layer layer_;
};

} // namespace sdbench
