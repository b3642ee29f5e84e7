#pragma once

#include <optional>
#include <variant>

#include <ATen/core/Tensor.h>

#include "sdbench/base/text/named.h"
#include "sdbench/engine/kernels/cpu_winograd.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

/// True if oneDNN can compute in bf16 on this processor, as limited by ONEDNN_MAX_CPU_ISA. Also
/// true for AVX-512 without bf16 instructions: oneDNN accepts bf16, but computes in fp32. False
/// in a build without oneDNN.
[[nodiscard]] bool onednn_has_bf16();

/// True if weights on `device` in `dtype` can be packed: reordered once into oneDNN's own memory
/// order, so that libtorch need not reorder them at each call. This is possible on a CPU: in fp32,
/// and in bf16 if oneDNN and the processor support bf16 (`has_bf16`).
[[nodiscard]] bool can_pack(at::Device device, at::ScalarType dtype, bool has_bf16);

/// Seconds that this thread has spent on packing weights so far. The results of two calls differ
/// by the time for the layers that were made in between.
[[nodiscard]] double packing_seconds();

/// Function applied to a layer's output before it is written.
enum class Activation { kNone, kRelu };
/// Applies `activation` to x in place.
void activate(at::Tensor& x, Activation activation);

/// A linear layer computed by oneDNN. Keeps the weight [out, in] in oneDNN's own order, which only
/// oneDNN can read, and the bias [out] as it is given.
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

/// `wanted`; but kOneDnn instead of kWinograd unless weights of this dtype are fp32 and the
/// processor has the instructions of our kernels.
[[nodiscard]] Packing possible_packing(Packing wanted, at::ScalarType dtype);

/// Values of `--packed-weights`, and of the record's field.
inline constexpr Named<Packing> kPackings[] = {
    {Packing::kNone, "off"}, {Packing::kOneDnn, "onednn"}, {Packing::kWinograd, "winograd"}};

/// A convolution computed by oneDNN or CpuWinograd, with a packed weight [out, in, k, k]. `packing`
/// must not be kNone. A 1x1 convolution is computed as a linear layer over pixels. As a convolution
/// it could be slow: oneDNN packs the weight before it knows the image's size. If that size needs
/// another order, oneDNN reorders the weight at each call. With Packing::kWinograd, CpuWinograd
/// computes the 3x3 convolutions that keep the image's size.
class PackedConv2d {
public:
  using Bias = std::optional<at::Tensor>;
  PackedConv2d(const at::Tensor& weight, const Bias& bias, std::int64_t stride,
               std::int64_t padding, Packing packing);
  /// x [N, in, H, W], any memory format -> [N, out, H', W'], channels-last.
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
