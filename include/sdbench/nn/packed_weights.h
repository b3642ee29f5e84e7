#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Whether oneDNN computes with weights of this kind in an order of its own, into which libtorch
/// otherwise brings them at each call: a CPU's in fp32, and in bf16 if the processor has it.
[[nodiscard]] bool can_pack(at::Device device, at::ScalarType dtype, bool has_bf16);

/// A linear layer's weight [out, in] in oneDNN's order, which only oneDNN can read.
class PackedLinear {
public:
  explicit PackedLinear(const at::Tensor& weight);
  /// x [..., in] -> [..., out].
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x,
                                      const std::optional<at::Tensor>& bias) const;

private:
  at::Tensor weight_;
};

/// A convolution's weight [out, in, k, k] in oneDNN's order.
class PackedConv2d {
public:
  PackedConv2d(const at::Tensor& weight, std::int64_t stride, std::int64_t padding);
  /// x [N, in, H, W] -> [N, out, H', W'], in x's memory format.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const at::Tensor& bias) const;

private:
  at::Tensor weight_;
  std::int64_t stride_;
  std::int64_t padding_;
};

} // namespace sdbench
