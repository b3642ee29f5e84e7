#include "sdbench/front/trend/change_points.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sdbench/base/core/statistics.h"

namespace sdbench {
namespace {

using Values = std::vector<double>;

// Tuned by simulation: tests/unit/front/trend/test_change_points.cpp holds what they come to.
constexpr double kSpreadsOfAll = 1.7;
constexpr double kSpreadsOfMost = 2.2;
constexpr double kLeastChange = 0.01;
constexpr double kLeastSpread = 0.0025;
constexpr std::size_t kNightsOfSpread = 30;
/// As of outliers within a run, see count_outliers().
constexpr double kSpreadsOfOdd = 5;
constexpr double kLeastOdd = 0.05;

/// Of normal distances from the middle the nearest ones, and their root mean square by the standard
/// deviation of all.
constexpr double kNearestPart = 0.8;
constexpr double kNearestScale = 0.662;
/// Few nights tell their spread badly: it is taken to be 1 + 2 / n as wide.
constexpr double kWidened = 2;

double median_of(std::span<const double> values) {
  return median(values).value_or(0);
}

std::span<const double> between(const Values& values, std::size_t begin, std::size_t end) {
  return std::span(values).subspan(begin, end - begin);
}

/// Of distances from the middle; what lies far away has no weight.
double spread_of(Values distances) {
  std::ranges::sort(distances);
  const auto all = static_cast<double>(distances.size());
  const std::size_t nearest = std::max<std::size_t>(std::lround(kNearestPart * all), 1);
  double squares = 0;
  for (std::size_t i = 0; i < nearest; ++i) {
    squares += distances[i] * distances[i];
  }
  const double spread = std::sqrt(squares / static_cast<double>(nearest)) / kNearestScale;
  return std::max(kLeastSpread, spread * (1 + kWidened / all));
}

/// Of the last nights before `end`, each around the median of its level.
double spread_before(const Values& logs, const std::vector<std::size_t>& starts, std::size_t end) {
  const std::size_t begin = end > kNightsOfSpread ? end - kNightsOfSpread : 0;
  Values distances;
  for (std::size_t level = 0; level < starts.size(); ++level) {
    const std::size_t from = std::max(starts[level], begin);
    const std::size_t to = level + 1 < starts.size() ? starts[level + 1] : end;
    if (from < to) {
      const double middle = median_of(between(logs, from, to));
      for (const double value : between(logs, from, to)) {
        distances.push_back(std::abs(value - middle));
      }
    }
  }
  return spread_of(std::move(distances));
}

/// Whether nights lie on one side of zero, far enough from it.
bool prove(Values distances, double spread) {
  std::ranges::sort(distances);
  if (distances.front() < 0) { // then all must be below
    std::ranges::for_each(distances, [](double& distance) { distance = -distance; });
    std::ranges::reverse(distances);
  }
  return distances[0] > kSpreadsOfAll * spread &&
         distances[1] > std::max(kSpreadsOfMost * spread, std::log1p(kLeastChange));
}

/// The baseline that a night is held against. `level`: the last start at or before it.
std::optional<double> baseline_of(const Values& logs, const std::vector<std::size_t>& starts,
                                  std::size_t night) {
  auto level = std::prev(std::ranges::upper_bound(starts, night));
  std::size_t end = night;
  if (night < *level + kNightsThatProve && level != starts.begin()) {
    end = *level--;
  }
  const std::size_t begin = std::max(*level, end > kBaselineNights ? end - kBaselineNights : 0);
  return end < begin + kNightsThatProve ? std::nullopt
                                        : std::optional(median_of(between(logs, begin, end)));
}

/// Where the levels begin.
std::vector<std::size_t> found_starts(const Values& logs) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t first = kLeastNightsBefore; first + kNightsThatProve <= logs.size(); ++first) {
    if (first < starts.back() + kNightsThatProve) {
      continue;
    }
    const std::size_t begin =
        std::max(starts.back(), first > kBaselineNights ? first - kBaselineNights : 0);
    const double baseline = median_of(between(logs, begin, first));
    Values distances;
    for (const double value : between(logs, first, first + kNightsThatProve)) {
      distances.push_back(value - baseline);
    }
    if (prove(std::move(distances), spread_before(logs, starts, first))) {
      starts.push_back(first);
    }
  }
  return starts;
}

} // namespace

Levels levels_of(std::span<const double> values) {
  Values logs;
  std::ranges::transform(values, std::back_inserter(logs),
                         [](double value) { return std::log(value); });
  Levels levels;
  levels.starts = found_starts(logs);
  if (logs.size() >= kLeastNightsBefore) {
    levels.spread = spread_before(logs, levels.starts, logs.size());
  }
  const double least_odd =
      std::max(kSpreadsOfOdd * levels.spread.value_or(0), std::log1p(kLeastOdd));
  for (std::size_t level = 0; level < levels.starts.size(); ++level) {
    const std::size_t end =
        level + 1 < levels.starts.size() ? levels.starts[level + 1] : logs.size();
    const double middle = median_of(between(logs, levels.starts[level], end));
    const bool is_known = end - levels.starts[level] >= kLeastNightsBefore;
    for (std::size_t night = levels.starts[level]; night < end; ++night) {
      const auto baseline = baseline_of(logs, levels.starts, night);
      levels.nights.push_back(
          {.baseline = baseline ? std::optional(std::exp(*baseline)) : std::nullopt,
           .is_odd = is_known && std::abs(logs[night] - middle) > least_odd});
    }
  }
  return levels;
}

} // namespace sdbench
