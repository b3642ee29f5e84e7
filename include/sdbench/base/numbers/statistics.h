#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sdbench {

/// Arithmetic mean; nullopt without samples. Raw samples are kept and summarised on demand.
[[nodiscard]] std::optional<double> mean(std::span<const double> samples);

/// Standard deviation of the sample (divisor n - 1); nullopt below two samples.
[[nodiscard]] std::optional<double> sample_sd(std::span<const double> samples);

/// Standard error of the mean divided by the mean: how uncertain the mean is, as a fraction of it.
/// nullopt below two samples, or if the mean is not above zero.
[[nodiscard]] std::optional<double> relative_standard_error(std::span<const double> samples);

/// The `percent`-th percentile (0…100), interpolated linearly between the order statistics around
/// rank (n - 1) * percent / 100: numpy's default, Hyndman and Fan's type 7. nullopt without
/// samples.
[[nodiscard]] std::optional<double> percentile(std::span<const double> samples, double percent);

/// The 50th percentile.
[[nodiscard]] std::optional<double> median(std::span<const double> samples);

/// Number of samples farther from the median than both five robust standard deviations (1.4826
/// times the median absolute deviation) and 5 % of the median. Outliers themselves do not move the
/// first bound. The second ignores tiny deviations of a very steady clock. 0 below
/// `kSamplesForOutliers`.
[[nodiscard]] std::int64_t count_outliers(std::span<const double> samples);
inline constexpr std::size_t kSamplesForOutliers = 5;

} // namespace sdbench
