#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace sdbench {

/// The line y = slope * x through the origin, fitted by least squares.
struct LineFit {
  double slope = 0; ///< Σxy / Σx²
  /// Uncentred R²: 1 - Σ(y - slope x)² / Σy². This is the usual definition for a line through the
  /// origin. Uncentred R² is larger than the centred R² of the same points, so the two cannot be
  /// compared.
  double r_squared = 0;
  std::size_t count = 0;
};

/// Fits the points (x[i], y[i]). nullopt for fewer than two points, if all x or all y are 0, or if
/// a number is not finite. Throws nothing. If x and y differ in length, surplus values are ignored.
[[nodiscard]] std::optional<LineFit> fit_through_origin(std::span<const double> x,
                                                        std::span<const double> y);

} // namespace sdbench
