#pragma once

#include <optional>
#include <span>

namespace sdbench {

/// The rise of a series from its beginning to its end, and the probability of it by chance alone.
struct Trend {
  double change =
      0; ///< rise from first to last by the Theil-Sen slope, as a fraction of the median
  double p_value = 1; ///< one-sided, of rising: Mann and Kendall's test
};

/// The trend of a series of samples above zero in order of time. Uses the medians of ten blocks of
/// nearly equal length, because the test does not allow for neighbouring steps that resemble each
/// other, and because a single hiccup should not count. nullopt below `kSamplesForTrend`.
[[nodiscard]] std::optional<Trend> rising_trend(std::span<const double> samples);
inline constexpr std::size_t kSamplesForTrend = 30;

/// One-sided p-value that `values` rise (Mann 1945, Kendall): normal approximation with correction
/// for continuity and ties. 1 below two values.
[[nodiscard]] double mann_kendall_p(std::span<const double> values);

/// Median of the slopes between all pairs, per place in the series (Theil 1950, Sen 1968). 0 below
/// two values.
[[nodiscard]] double theil_sen_slope(std::span<const double> values);

} // namespace sdbench
