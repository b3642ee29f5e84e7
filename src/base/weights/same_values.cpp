#include "same_values.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "sdbench/base/types/dtype.h"

namespace sdbench {
namespace {

/// Values compared in each tensor, around its middle.
constexpr std::size_t kValuesLookedAt = 64;
/// Number of tensors compared, spread evenly. Each costs a disk page, and different weights differ
/// nearly everywhere.
constexpr std::size_t kTensorsLookedAt = 32;

template <typename Number>
Number number_at(std::span<const std::byte> data, std::size_t index) {
  Number number{};
  std::memcpy(&number, data.data() + index * sizeof(Number), sizeof(Number));
  return number;
}

double from_fp16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction | 1024, exponent - 25));
}

double from_bf16(std::uint16_t bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float value = 0;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

double value_at(const TensorView& view, std::size_t index) {
  switch (view.dtype) {
  case Dtype::kF64:
    return number_at<double>(view.data, index);
  case Dtype::kF32:
    return number_at<float>(view.data, index);
  case Dtype::kF16:
    return from_fp16(number_at<std::uint16_t>(view.data, index));
  default:
    return from_bf16(number_at<std::uint16_t>(view.data, index));
  }
}

/// Largest error of rounding to a dtype: relative to the number, or absolute near zero.
struct Rounding {
  double relative = 0;
  double absolute = 0;
};

Rounding rounding_of(Dtype dtype) {
  switch (dtype) {
  case Dtype::kF16:
    return {0x1p-11, 0x1p-25};
  case Dtype::kBF16:
    return {0x1p-8, 0};
  default:
    return {0x1p-24, 0};
  }
}

bool has_values(Dtype dtype) {
  return dtype == Dtype::kF64 || dtype == Dtype::kF32 || dtype == Dtype::kF16 ||
         dtype == Dtype::kBF16;
}

bool have_same_values(const TensorView& one, const TensorView& other) {
  if (one.shape != other.shape || one.transposed != other.transposed) {
    return false;
  }
  if (one.dtype == other.dtype) {
    const std::size_t size = one.data.size();
    const std::size_t looked_at = std::min(size, kValuesLookedAt * size_of(one.dtype));
    return size == other.data.size() &&
           std::ranges::equal(one.data.subspan((size - looked_at) / 2, looked_at),
                              other.data.subspan((size - looked_at) / 2, looked_at));
  }
  if (!has_values(one.dtype) || !has_values(other.dtype)) {
    return false;
  }
  const Rounding first = rounding_of(one.dtype);
  const Rounding second = rounding_of(other.dtype);
  const std::size_t count = one.data.size() / size_of(one.dtype);
  const std::size_t looked_at = std::min(count, kValuesLookedAt);
  for (std::size_t i = (count - looked_at) / 2; i < (count + looked_at) / 2; ++i) {
    const double a = value_at(one, i);
    const double b = value_at(other, i);
    const double most = (first.relative + second.relative) * std::max(std::abs(a), std::abs(b)) +
                        first.absolute + second.absolute;
    if (a != b && !(std::abs(a - b) <= most) && !(std::isnan(a) && std::isnan(b))) {
      return false;
    }
  }
  return true;
}

} // namespace

bool have_same_values(const TensorMap& one, const TensorMap& other) {
  const std::size_t stride = one.size() / kTensorsLookedAt + 1;
  std::size_t number = 0;
  return std::ranges::equal(one, other, [&](const auto& a, const auto& b) {
    const bool is_looked_at = number++ % stride == 0;
    return a.first == b.first && a.second.shape == b.second.shape &&
           (!is_looked_at || have_same_values(a.second, b.second));
  });
}

} // namespace sdbench
