#include "sdbench/engine/nn/scalar_type.h"

#include <array>
#include <string>
#include <utility>

#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

constexpr std::array<std::pair<Dtype, at::ScalarType>, 12> kTypes{{
    {Dtype::kF64, at::kDouble},
    {Dtype::kF32, at::kFloat},
    {Dtype::kF16, at::kHalf},
    {Dtype::kBF16, at::kBFloat16},
    {Dtype::kF8E4M3, at::kFloat8_e4m3fn},
    {Dtype::kF8E5M2, at::kFloat8_e5m2},
    {Dtype::kI64, at::kLong},
    {Dtype::kI32, at::kInt},
    {Dtype::kI16, at::kShort},
    {Dtype::kI8, at::kChar},
    {Dtype::kU8, at::kByte},
    {Dtype::kBool, at::kBool},
}};

} // namespace

at::ScalarType to_scalar_type(Dtype dtype) {
  for (const auto& [ours, theirs] : kTypes) {
    if (ours == dtype) {
      return theirs;
    }
  }
  throw Error("dtype must be one of weights, but is number " +
              std::to_string(static_cast<int>(dtype)));
}

Dtype to_dtype(at::ScalarType type) {
  for (const auto& [ours, theirs] : kTypes) {
    if (theirs == type) {
      return ours;
    }
  }
  throw Error(std::string("dtype must be one of weights, but is ") + c10::toString(type));
}

} // namespace sdbench
