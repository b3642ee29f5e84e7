#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sdbench {

/// A synthetic value is offset + factor * n, where n is an odd integer in [-65535, 65535]: uniform
/// with standard deviation factor * 65536 / sqrt(3).
struct SyntheticScale {
  float factor = 0;
  float offset = 0;
};

/// The scale of a tensor of a component (by its folder's name), from the role its name and shape
/// tell: norm weights near one, small biases, matrices and convolutions with standard deviation
/// gain / sqrt(fan-in). The gains keep activations near unit variance and are smaller where a
/// residual branch ends. A network's running variances are near one, too, and its "images" have
/// standard deviation one. Measured activations: docs/synthetic-weights.md.
[[nodiscard]] SyntheticScale synthetic_scale(std::string_view component, std::string_view name,
                                             std::span<const std::int64_t> shape);

} // namespace sdbench
