#include "sdbench/nn/packed_weights.h"

#include <string_view>

#include <ATen/ATen.h>
#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>

namespace sdbench {
namespace {

using OptionalTensor = std::optional<at::Tensor>;
using Scalars = c10::List<std::optional<at::Scalar>>;
using OptionalText = std::optional<std::string_view>;
using Sizes = at::IntArrayRef;

/// libtorch has these operators for its compiler and keeps them out of its C++ interface.
template <typename Signature>
auto find_operator(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

} // namespace

bool can_pack(at::Device device, at::ScalarType dtype, bool has_bf16) {
  return device.is_cpu() && at::hasMKLDNN() &&
         (dtype == at::kFloat || (dtype == at::kBFloat16 && has_bf16));
}

PackedLinear::PackedLinear(const at::Tensor& weight) {
  static const auto reorder =
      find_operator<at::Tensor(const at::Tensor&, std::optional<std::int64_t>)>(
          "mkldnn::_reorder_linear_weight");
  weight_ = reorder.call(weight, std::nullopt);
}

at::Tensor PackedLinear::operator()(const at::Tensor& x, const OptionalTensor& bias) const {
  static const auto linear =
      find_operator<at::Tensor(const at::Tensor&, const at::Tensor&, const OptionalTensor&,
                               std::string_view, Scalars, OptionalText)>(
          "mkldnn::_linear_pointwise");
  return linear.call(x, weight_, bias, "none", Scalars(), "");
}

PackedConv2d::PackedConv2d(const at::Tensor& weight, std::int64_t stride, std::int64_t padding)
    : stride_(stride), padding_(padding) {
  static const auto reorder =
      find_operator<at::Tensor(const at::Tensor&, Sizes, Sizes, Sizes, std::int64_t,
                               at::OptionalIntArrayRef)>("mkldnn::_reorder_convolution_weight");
  weight_ = reorder.call(weight, {padding, padding}, {stride, stride}, {1, 1}, 1, std::nullopt);
}

at::Tensor PackedConv2d::operator()(const at::Tensor& x, const at::Tensor& bias) const {
  static const auto convolve = find_operator<at::Tensor(
      const at::Tensor&, const at::Tensor&, const OptionalTensor&, Sizes, Sizes, Sizes,
      std::int64_t, std::string_view, Scalars, OptionalText)>("mkldnn::_convolution_pointwise");
  return convolve.call(x, weight_, bias, {padding_, padding_}, {stride_, stride_}, {1, 1}, 1,
                       "none", Scalars(), "");
}

} // namespace sdbench
