#include "sdbench/core/statistics.h"

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

} // namespace sdbench
