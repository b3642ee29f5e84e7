#include "sdbench/engine/nn/packed_weights.h"

#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "sdbench/engine/kernels/cpu_instructions.h"

namespace sdbench {
namespace {

using OptionalTensor = std::optional<at::Tensor>;
using Scalars = c10::List<std::optional<at::Scalar>>;
using OptionalText = std::optional<std::string_view>;
using Sizes = at::IntArrayRef;

/// libtorch has these operators for its compiler, and not in its C++ interface.
template <typename Signature>
auto find_operator(const char* name, const char* overload = "") {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload).typed<Signature>();
}

/// The activation's name in oneDNN's operators.
std::string_view name_of(Activation activation) {
  return activation == Activation::kRelu ? "relu" : "none";
}

/// Adds the time from here to its end to packing_seconds().
class PackingTime {
public:
  PackingTime() = default;
  PackingTime(const PackingTime&) = delete;
  PackingTime& operator=(const PackingTime&) = delete;
  ~PackingTime() {
    total_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  static thread_local double total_s;

private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};
thread_local double PackingTime::total_s = 0;

} // namespace

void activate(at::Tensor& x, Activation activation) {
  if (activation == Activation::kRelu) {
    at::relu_(x);
  }
}

double packing_seconds() {
  return PackingTime::total_s;
}

Packing possible_packing(Packing wanted, at::ScalarType dtype) {
  const bool has_winograd = dtype == at::kFloat && cpu_instructions(at::kFloat);
  return wanted == Packing::kWinograd && !has_winograd ? Packing::kOneDnn : wanted;
}

bool onednn_has_bf16() {
  static const bool has =
      at::hasMKLDNN() && find_operator<bool()>("mkldnn::_is_mkldnn_bf16_supported").call();
  return has;
}

bool can_pack(at::Device device, at::ScalarType dtype, bool has_bf16) {
  return device.is_cpu() && at::hasMKLDNN() &&
         (dtype == at::kFloat || (dtype == at::kBFloat16 && has_bf16 && onednn_has_bf16()));
}

PackedLinear::PackedLinear(const at::Tensor& weight, Bias bias) : bias_(std::move(bias)) {
  const PackingTime time;
  static const auto reorder =
      find_operator<at::Tensor(const at::Tensor&, std::optional<std::int64_t>)>(
          "mkldnn::_reorder_linear_weight");
  weight_ = reorder.call(weight, std::nullopt);
}

at::Tensor PackedLinear::operator()(const at::Tensor& x, Activation activation) const {
  static const auto linear =
      find_operator<at::Tensor(const at::Tensor&, const at::Tensor&, const OptionalTensor&,
                               std::string_view, Scalars, OptionalText)>(
          "mkldnn::_linear_pointwise");
  return linear.call(x, weight_, bias_, name_of(activation), Scalars(), "");
}

PackedConv2d::PackedConv2d(const at::Tensor& weight, const Bias& bias, std::int64_t stride,
                           std::int64_t padding, Packing packing)
    : layer_(make(weight, bias, stride, padding, packing)) {}

PackedConv2d::Layer PackedConv2d::make(const at::Tensor& weight, const Bias& bias,
                                       std::int64_t stride, std::int64_t padding, Packing packing) {
  const bool keeps_size = stride == 1 && weight.size(2) == 2 * padding + 1;
  if (keeps_size && weight.size(2) == 1) {
    return PackedLinear(weight.flatten(1), bias);
  }
  const PackingTime time;
  if (packing == Packing::kWinograd && keeps_size) {
    if (const auto instructions = CpuWinograd::instructions(weight)) {
      const at::Tensor added = bias ? *bias : at::zeros({weight.size(0)}, weight.options());
      return CpuWinograd(weight, added, *instructions);
    }
  }
  static const auto reorder =
      find_operator<at::Tensor(const at::Tensor&, Sizes, Sizes, Sizes, std::int64_t,
                               at::OptionalIntArrayRef)>("mkldnn::_reorder_convolution_weight");
  return OneDnn{reorder.call(weight, {padding, padding}, {stride, stride}, {1, 1}, 1, std::nullopt),
                bias, stride, padding};
}

at::Tensor PackedConv2d::operator()(const at::Tensor& x, Activation activation) const {
  if (const auto* winograd = std::get_if<CpuWinograd>(&layer_)) {
    at::Tensor y = (*winograd)(x);
    activate(y, activation);
    return y;
  }
  if (const auto* of_pixels = std::get_if<PackedLinear>(&layer_)) {
    const at::Tensor pixels = x.permute({0, 2, 3, 1}); // dense if x is channels-last
    return (*of_pixels)(pixels, activation).permute({0, 3, 1, 2});
  }
  static const auto convolve = find_operator<at::Tensor(
      const at::Tensor&, const at::Tensor&, const OptionalTensor&, Sizes, Sizes, Sizes,
      std::int64_t, std::string_view, Scalars, OptionalText)>("mkldnn::_convolution_pointwise");
  const auto& [weight, bias, stride, padding] = std::get<OneDnn>(layer_);
  return convolve.call(x, weight, bias, {padding, padding}, {stride, stride}, {1, 1}, 1,
                       name_of(activation), Scalars(), "");
}

} // namespace sdbench
