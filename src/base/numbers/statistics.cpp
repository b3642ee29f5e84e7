#include "sdbench/base/numbers/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace sdbench {

std::optional<double> mean(std::span<const double> samples) {
  if (samples.empty()) {
    return std::nullopt;
  }
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

std::optional<double> sample_sd(std::span<const double> samples) {
  if (samples.size() < 2) {
    return std::nullopt;
  }
  const double centre = *mean(samples);
  double squares =
      0; // two passes: a single one loses all digits when the spread is small beside the mean
  for (const double sample : samples) {
    squares += (sample - centre) * (sample - centre);
  }
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

std::optional<double> relative_standard_error(std::span<const double> samples) {
  const std::optional<double> sd = sample_sd(samples);
  const std::optional<double> centre = mean(samples);
  if (!sd || !(*centre > 0)) {
    return std::nullopt;
  }
  return *sd / std::sqrt(static_cast<double>(samples.size())) / *centre;
}

std::optional<double> percentile(std::span<const double> samples, double percent) {
  if (samples.empty()) {
    return std::nullopt;
  }
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double rank =
      static_cast<double>(sorted.size() - 1) * std::clamp(percent, 0.0, 100.0) / 100.0;
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double fraction = rank - static_cast<double>(below);
  return sorted[below] + fraction * (sorted[above] - sorted[below]);
}

std::optional<double> median(std::span<const double> samples) {
  return percentile(samples, 50);
}

std::int64_t count_outliers(std::span<const double> samples) {
  if (samples.size() < kSamplesForOutliers) {
    return 0;
  }
  const double centre = *median(samples);
  std::vector<double> distances;
  distances.reserve(samples.size());
  for (const double sample : samples) {
    distances.push_back(std::abs(sample - centre));
  }
  constexpr double kSdPerMad = 1.4826; // of a normal distribution
  constexpr double kRobustSds = 5;
  constexpr double kFraction = 0.05;
  const double bound =
      std::max(kRobustSds * kSdPerMad * *median(distances), kFraction * std::abs(centre));
  return std::ranges::count_if(distances, [&](double distance) { return distance > bound; });
}

} // namespace sdbench
