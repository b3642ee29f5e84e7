#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sdbench {

/// A synthetic value is offset + factor * n, where n is uniformly distributed over the odd integers
/// in [-65535, 65535]. So the standard deviation of the values is factor * 65536 / sqrt(3).
struct SyntheticScale {
  float factor = 0;
  float offset = 0;
};

/// The scale of a tensor. `component`: name of the component's folder. The tensor's name and shape
/// show its role. Norm weights are near one, biases are small, and matrices and convolutions have
/// the standard deviation gain / sqrt(fan-in). The gains keep activations near unit variance; they
/// are smaller for the last layer of a residual branch. In an image classifier, running variances
/// are also near one, and the tensor "images" has standard deviation one. Measured activations:
/// docs/synthetic-weights.md.
[[nodiscard]] SyntheticScale synthetic_scale(std::string_view component, std::string_view name,
                                             std::span<const std::int64_t> shape);

} // namespace sdbench
