#pragma once

#include <optional>
#include <span>

namespace sdbench {

/// The rise of a series from its first to its last sample, and the probability that chance alone
/// causes such a rise.
struct Trend {
  /// Rise from first to last by the Theil-Sen slope, as a fraction of the median.
  double change = 0;
  double p_value = 1; ///< one-sided p-value of a rise, by the Mann-Kendall test
};

/// The trend of positive samples in chronological order. Works on the medians of ten consecutive
/// blocks of nearly equal length, because neighbouring step times depend on each other and the
/// Mann-Kendall test assumes independent values. Besides, a median ignores a single slow step.
/// nullopt for fewer than `kSamplesForTrend` samples.
[[nodiscard]] std::optional<Trend> rising_trend(std::span<const double> samples);
inline constexpr std::size_t kSamplesForTrend = 30;

/// One-sided p-value for a rise of `values`, by the Mann-Kendall test (Mann 1945). Uses the normal
/// approximation with corrections for continuity and ties. Returns 1 for fewer than two values.
[[nodiscard]] double mann_kendall_p(std::span<const double> values);

/// Theil-Sen slope: the median of (values[j] - values[i]) / (j - i) over all pairs i < j (Theil
/// 1950, Sen 1968). Returns 0 for fewer than two values.
[[nodiscard]] double theil_sen_slope(std::span<const double> values);

} // namespace sdbench
