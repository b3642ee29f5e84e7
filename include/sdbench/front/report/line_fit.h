#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace sdbench {

/// y = slope * x, by least squares through the origin.
struct LineFit {
  double slope = 0; ///< Σxy / Σx²
  /// Uncentred: 1 - Σ(y - slope x)² / Σy². A line through the origin has no mean to explain, so
  /// this is what its R² means; it is larger than the usual one of the same points.
  double r_squared = 0;
  std::size_t count = 0;
};

/// nullopt below two points, if all x or all y are 0, and if a number is not finite. Throws
/// nothing. x and y should have equal lengths (the shorter one counts).
[[nodiscard]] std::optional<LineFit> fit_through_origin(std::span<const double> x,
                                                        std::span<const double> y);

} // namespace sdbench
