#pragma once

#include <optional>
#include <variant>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_winograd.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

/// True if oneDNN computes in bf16 on this processor, within ONEDNN_MAX_CPU_ISA. That includes
/// AVX-512 without bf16 products, where oneDNN computes by way of fp32. False without oneDNN.
[[nodiscard]] bool onednn_has_bf16();

/// True if oneDNN uses a memory order of its own for such weights, into which libtorch would
/// otherwise reorder them at each call. These are weights on a CPU in fp32, or in bf16 if oneDNN
/// and the processor support it (`has_bf16`).
[[nodiscard]] bool can_pack(at::Device device, at::ScalarType dtype, bool has_bf16);

/// Seconds that this thread has spent on packing so far. The difference of two calls is the time
/// for the layers made between them.
[[nodiscard]] double packing_seconds();

/// Function applied to a layer's output before it is written.
enum class Activation { kNone, kRelu };
/// Applies `activation` to x in place.
void activate(at::Tensor& x, Activation activation);

/// A linear layer by oneDNN. Its weight [out, in] is in oneDNN's own order, which only oneDNN can
/// read; its bias [out] may be, too.
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

/// A convolution by oneDNN or Winograd with a packed weight [out, in, k, k]. `packing` must not be
/// kNone. A 1x1 convolution is computed as a linear layer over pixels: oneDNN packs its weight
/// without knowing the image's size, and may then need another order for the image and reorder the
/// weight at each call. Winograd takes 3x3 convolutions that keep the image's size.
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
