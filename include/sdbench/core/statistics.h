#pragma once

#include <optional>
#include <span>

namespace sdbench {

/// Arithmetic mean; nullopt of no samples. Pure, like all here: raw samples are kept and summarised
/// on demand.
[[nodiscard]] std::optional<double> mean(std::span<const double> samples);

/// Standard deviation of the sample (divisor n - 1); nullopt below two samples.
[[nodiscard]] std::optional<double> sample_sd(std::span<const double> samples);

/// The `percent`-th percentile (0…100), interpolated linearly between the order statistics around
/// rank (n - 1) * percent / 100: numpy's default, Hyndman and Fan's type 7. nullopt of no samples.
[[nodiscard]] std::optional<double> percentile(std::span<const double> samples, double percent);

/// The 50th percentile.
[[nodiscard]] std::optional<double> median(std::span<const double> samples);

} // namespace sdbench
