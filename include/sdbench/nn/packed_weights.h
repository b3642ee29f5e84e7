#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Whether oneDNN computes with weights of this kind in an order of its own, into which libtorch
/// otherwise brings them at each call: a CPU's in fp32, and in bf16 if the processor has it.
[[nodiscard]] bool can_pack(at::Device device, at::ScalarType dtype, bool has_bf16);

/// Seconds that this thread has spent on packing so far: what is between two looks at it went into
/// the layers that were made between them.
[[nodiscard]] double packing_seconds();

/// A linear layer's weight [out, in] in oneDNN's order, which only oneDNN can read. What follows
/// the product is computed in fp32 on each tile of it, before anything is rounded or written.
class PackedLinear {
public:
  using Bias = std::optional<at::Tensor>;
  explicit PackedLinear(const at::Tensor& weight);
  /// x [..., in] -> [..., out].
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const Bias& bias) const;
  /// GELU (the exact one) of that.
  [[nodiscard]] at::Tensor gelu(const at::Tensor& x, const Bias& bias) const;
  /// That plus, or times, `other` [..., out].
  [[nodiscard]] at::Tensor plus(const at::Tensor& x, const Bias& bias,
                                const at::Tensor& other) const;
  [[nodiscard]] at::Tensor times(const at::Tensor& x, const Bias& bias,
                                 const at::Tensor& other) const;

private:
  at::Tensor weight_;
};

/// A convolution's weight [out, in, k, k] in oneDNN's order.
class PackedConv2d {
public:
  PackedConv2d(const at::Tensor& weight, std::int64_t stride, std::int64_t padding);
  /// x [N, in, H, W] -> [N, out, H', W'], channels-last whatever x is.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const at::Tensor& bias) const;

private:
  at::Tensor weight_;
  std::int64_t stride_;
  std::int64_t padding_;
};

} // namespace sdbench
