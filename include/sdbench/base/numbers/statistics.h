#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sdbench {

/// Arithmetic mean; nullopt without samples. Records keep the raw samples, and statistics are
/// computed from them on demand.
[[nodiscard]] std::optional<double> mean(std::span<const double> samples);

/// Sample standard deviation (divisor n - 1); nullopt for fewer than two samples.
[[nodiscard]] std::optional<double> sample_sd(std::span<const double> samples);

/// Standard error of the mean, divided by the mean: the uncertainty of the mean as a fraction of
/// it. nullopt for fewer than two samples, or if the mean is not above zero.
[[nodiscard]] std::optional<double> relative_standard_error(std::span<const double> samples);

/// The `percent`-th percentile, `percent` from 0 to 100. Interpolates linearly between the order
/// statistics around rank (n - 1) * percent / 100, as numpy does by default (Hyndman and Fan's type
/// 7). nullopt without samples.
[[nodiscard]] std::optional<double> percentile(std::span<const double> samples, double percent);

/// The 50th percentile; nullopt without samples.
[[nodiscard]] std::optional<double> median(std::span<const double> samples);

/// Number of outliers among the samples. An outlier's distance from the median exceeds both bounds:
/// five robust standard deviations (1.4826 times the median absolute deviation), and 5 % of the
/// median. Outliers do not affect the first bound. The second bound excludes tiny deviations when
/// all samples are nearly equal. Returns 0 for fewer than kSamplesForOutliers samples.
[[nodiscard]] std::int64_t count_outliers(std::span<const double> samples);
inline constexpr std::size_t kSamplesForOutliers = 5;

} // namespace sdbench
