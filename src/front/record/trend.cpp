#include "sdbench/front/record/trend.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sdbench/base/numbers/statistics.h"

namespace sdbench {
namespace {

constexpr std::size_t kBlocks = 10;

std::vector<double> block_medians(std::span<const double> samples) {
  std::vector<double> medians;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    const std::size_t begin = samples.size() * block / kBlocks;
    const std::size_t end = samples.size() * (block + 1) / kBlocks;
    medians.push_back(*median(samples.subspan(begin, end - begin)));
  }
  return medians;
}

double cubic(double n) {
  return n * (n - 1) * (2 * n + 5);
}

/// Variance of Kendall's S if all orders are equally likely. Takes a copy of the values to sort it.
double variance_of_s(std::vector<double> values) {
  std::ranges::sort(values);
  double sum = cubic(static_cast<double>(values.size()));
  for (auto begin = values.begin(); begin != values.end();) {
    const auto end = std::upper_bound(begin, values.end(), *begin);
    sum -= cubic(static_cast<double>(end - begin)); // equal values have no order
    begin = end;
  }
  return sum / 18;
}

} // namespace

double mann_kendall_p(std::span<const double> values) {
  double s = 0; // number of rising pairs minus number of falling pairs
  for (std::size_t later = 1; later < values.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      s += static_cast<double>((values[later] > values[earlier]) -
                               (values[later] < values[earlier]));
    }
  }
  const double variance = variance_of_s({values.begin(), values.end()});
  if (!(variance > 0)) {
    return 1;
  }
  return 0.5 * std::erfc((s - 1) / std::sqrt(2 * variance));
}

double theil_sen_slope(std::span<const double> values) {
  std::vector<double> slopes;
  for (std::size_t later = 1; later < values.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      slopes.push_back((values[later] - values[earlier]) / static_cast<double>(later - earlier));
    }
  }
  return median(slopes).value_or(0);
}

std::optional<Trend> rising_trend(std::span<const double> samples) {
  if (samples.size() < kSamplesForTrend) {
    return std::nullopt;
  }
  const std::vector<double> blocks = block_medians(samples);
  const double typical = *median(blocks);
  if (!(typical > 0)) {
    return std::nullopt;
  }
  return Trend{theil_sen_slope(blocks) * static_cast<double>(kBlocks - 1) / typical,
               mann_kendall_p(blocks)};
}

} // namespace sdbench
