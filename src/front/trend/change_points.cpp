#include "sdbench/front/trend/change_points.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

using Values = std::vector<double>;

// Tuned by simulation; tests/unit/front/trend/test_change_points.cpp checks the resulting rates.
constexpr double kErrorsOfChange = 4;
constexpr double kSpreadsOfEach = 1.2;
constexpr double kLeastChange = 0.01;
constexpr double kLeastSpread = 0.003;
constexpr std::size_t kNightsOfLevel = 30;
/// The nights that prove a change are the majority of these, so that a change back soon after does
/// not move their median.
constexpr std::size_t kNightsThatDate = 2 * kNightsThatProve - 1;
/// A night farther from its level than this many spreads counts in a change as if at this distance,
/// and is ignored in its level.
constexpr double kSpreadsOfFar = 3.5;
static_assert(kSpreadsOfFar * kLeastSpread > kLeastChange, "still nights could show no change");
/// The same as for outliers within a run, see count_outliers().
constexpr double kSpreadsOfOdd = 5;
constexpr double kLeastOdd = 0.05;

/// The nearest part of normally distributed distances from the middle, and the root mean square of
/// that part divided by the standard deviation of all.
constexpr double kNearestPart = 0.8;
constexpr double kNearestScale = 0.662;
/// A spread from n nights is multiplied by 1 + 1 / n, because few nights estimate it badly.
constexpr double kWidened = 1;

double median_of(std::span<const double> values) {
  return median(values).value_or(0);
}

std::span<const double> between(const Values& values, std::size_t begin, std::size_t end) {
  return std::span(values).subspan(begin, end - begin);
}

double root_mean_square(std::span<const double> values, double count) {
  double squares = 0;
  for (const double value : values) {
    squares += value * value;
  }
  return std::sqrt(squares / count);
}

/// The standard deviation of distances from `levels` middles, without outliers. The nearest
/// distances decide which are outliers.
double spread_of(Values distances, std::size_t levels) {
  std::ranges::sort(distances);
  const auto all = static_cast<double>(distances.size());
  const std::size_t nearest = std::max<std::size_t>(std::lround(kNearestPart * all), 1);
  const double rough =
      root_mean_square(std::span(distances).first(nearest), static_cast<double>(nearest)) /
      kNearestScale;
  const auto far = std::ranges::upper_bound(distances, kSpreadsOfFar * rough);
  const std::span near(distances.begin(), far);
  const auto count = static_cast<double>(near.size());
  const double spread = root_mean_square(near, std::max(count - static_cast<double>(levels), 1.0));
  return std::max(kLeastSpread, spread * (1 + kWidened / count));
}

/// Spread of the last nights before `end`, each around the median of its level.
double spread_before(const Values& logs, const std::vector<std::size_t>& starts, std::size_t end) {
  const std::size_t begin = end > kNightsOfLevel ? end - kNightsOfLevel : 0;
  Values distances;
  std::size_t levels = 0;
  for (std::size_t level = 0; level < starts.size(); ++level) {
    const std::size_t from = std::max(starts[level], begin);
    const std::size_t to = level + 1 < starts.size() ? starts[level + 1] : end;
    if (from < to) {
      ++levels;
      const double middle = median_of(between(logs, from, to));
      for (const double value : between(logs, from, to)) {
        distances.push_back(std::abs(value - middle));
      }
    }
  }
  return spread_of(std::move(distances), levels);
}

/// The nights of a level that lie near its median.
Values near_nights(std::span<const double> level, double spread) {
  const double middle = median_of(level);
  Values near;
  std::ranges::copy_if(level, std::back_inserter(near), [&](double value) {
    return std::abs(value - middle) <= kSpreadsOfFar * spread;
  });
  return near;
}

/// True if all nights lie on one side of a level, and both each night and their mean are far enough
/// from it.
bool prove(std::span<const double> nights, std::span<const double> level, double spread) {
  const double middle = mean(level).value_or(0);
  double sum = 0;
  for (const double night : nights) {
    const double distance = (night - middle) * (nights.front() < middle ? -1 : 1);
    if (distance <= kSpreadsOfEach * spread) {
      return false;
    }
    sum += std::min(distance, kSpreadsOfFar * spread);
  }
  const auto count = static_cast<double>(nights.size());
  const double error = spread * std::sqrt(1 / count + 1 / static_cast<double>(level.size()));
  return sum / count > std::max(kErrorsOfChange * error, std::log1p(kLeastChange));
}

/// The first night of the new level, which the nights from `first` on prove. Skips those nearer to
/// the old level, whose mean is `middle`: chance may have moved them away from it.
std::size_t dated(const Values& logs, std::size_t first, double middle) {
  const std::size_t end = std::min(first + kNightsThatDate, logs.size());
  const double after = median_of(between(logs, first, end));
  const std::size_t last = first + kNightsThatProve - 1;
  while (first < last && std::abs(logs[first] - middle) < std::abs(logs[first] - after)) {
    ++first;
  }
  return first;
}

/// The median of the nights that a night is compared with. Until its level has enough nights of its
/// own, the level before counts. Nothing with too few nights.
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

/// The first night of each level.
std::vector<std::size_t> found_starts(const Values& logs) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t first = kLeastNightsBefore; first + kNightsThatProve <= logs.size(); ++first) {
    if (first < starts.back() + kNightsThatProve) {
      continue;
    }
    const std::size_t begin =
        std::max(starts.back(), first > kNightsOfLevel ? first - kNightsOfLevel : 0);
    const double spread = spread_before(logs, starts, first);
    const Values level = near_nights(between(logs, begin, first), spread);
    if (prove(between(logs, first, first + kNightsThatProve), level, spread)) {
      starts.push_back(dated(logs, first, mean(level).value_or(0)));
    }
  }
  return starts;
}

} // namespace

Levels levels_of(std::span<const double> values) {
  Values logs = mapped(values, [](double value) { return std::log(value); });
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
