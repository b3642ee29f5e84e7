#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

// Common to all our 3x3 convolutions.

namespace sdbench::kernels {

inline constexpr std::int64_t kSide = 3;
inline constexpr std::int64_t kTaps = kSide * kSide;

[[nodiscard]] inline bool is_3x3(const at::Tensor& weight) {
  return weight.dim() == 4 && weight.size(2) == kSide && weight.size(3) == kSide;
}

/// Throws Error if x is not [N, in, H, W] in `dtype`.
void check_image(const at::Tensor& x, std::int64_t in, at::ScalarType dtype);

} // namespace sdbench::kernels
