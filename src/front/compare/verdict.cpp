#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/confidence.h"

#include <algorithm>
#include <cmath>

namespace sdbench {
namespace {

Ratio reciprocal(const Ratio& ratio) {
  Ratio turned{1 / ratio.value, std::nullopt};
  if (ratio.interval) {
    turned.interval = Interval{1 / ratio.interval->high, 1 / ratio.interval->low};
  }
  return turned;
}

} // namespace

std::int64_t welch_satterthwaite(double variance_a, std::int64_t degrees_a, double variance_b,
                                 std::int64_t degrees_b) {
  const double sum = variance_a + variance_b;
  if (sum == 0) { // no spread on either side
    return degrees_a + degrees_b;
  }
  const double degrees = sum * sum /
                         (variance_a * variance_a / static_cast<double>(degrees_a) +
                          variance_b * variance_b / static_cast<double>(degrees_b));
  // Equal spreads give an integer, which rounding errors must not reduce by one.
  constexpr double kHair = 1e-3;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(degrees + kHair));
}

Ratio ratio_of(const PooledFigure& a, const PooledFigure& b) {
  Ratio ratio{a.mean / b.mean, std::nullopt};
  if (!a.standard_error || !b.standard_error) {
    return ratio;
  }
  const double variance_a = std::pow(*a.standard_error / a.mean, 2);
  const double variance_b = std::pow(*b.standard_error / b.mean, 2);
  const std::int64_t degrees =
      welch_satterthwaite(variance_a, a.degrees_of_freedom, variance_b, b.degrees_of_freedom);
  const double reach = std::exp(t95(degrees) * std::sqrt(variance_a + variance_b));
  if (std::isfinite(reach)) {
    ratio.interval = Interval{ratio.value / reach, ratio.value * reach};
  }
  return ratio;
}

MeanDifference difference_of(const PooledFigure& a, const PooledFigure& b) {
  MeanDifference difference{a.mean - b.mean, std::nullopt};
  if (!a.standard_error || !b.standard_error) {
    return difference;
  }
  const double variance_a = std::pow(*a.standard_error, 2);
  const double variance_b = std::pow(*b.standard_error, 2);
  const std::int64_t degrees =
      welch_satterthwaite(variance_a, a.degrees_of_freedom, variance_b, b.degrees_of_freedom);
  const double half = t95(degrees) * std::sqrt(variance_a + variance_b);
  if (std::isfinite(half)) {
    difference.interval = Interval{difference.value - half, difference.value + half};
    difference.standard_error = std::sqrt(variance_a + variance_b);
    difference.degrees_of_freedom = degrees;
  }
  return difference;
}

Ratio relative_to(const Metric& metric, const PooledFigure& ours, const PooledFigure& base) {
  const Ratio ratio = ratio_of(ours, base);
  return metric.is_speed() ? reciprocal(ratio) : ratio;
}

Verdict verdict_of(const Metric& metric, const PooledFigure& ours, const PooledFigure& base,
                   double threshold) {
  const std::optional<Interval> a = ours.interval();
  const std::optional<Interval> b = base.interval();
  if (!a || !b) {
    return Verdict::kUnclear;
  }
  if (std::max(a->high, b->high) <= std::min(a->low, b->low) * (1 + threshold)) {
    return Verdict::kSame;
  }
  const bool disjoint = a->high < b->low || b->high < a->low;
  const double gap = std::max(ours.mean, base.mean) / std::min(ours.mean, base.mean) - 1;
  if (!disjoint || gap < threshold) {
    return Verdict::kUnclear;
  }
  return (ours.mean > base.mean) == metric.prefers_larger_mean() ? Verdict::kFaster
                                                                 : Verdict::kSlower;
}

double worse_by(const Metric& metric, double ours, double base) {
  return (metric.prefers_larger_mean() ? base / ours : ours / base) - 1;
}

std::string_view word_of(Verdict verdict, const Metric& metric) {
  switch (verdict) {
  case Verdict::kFaster:
    return metric.is_speed() ? "faster" : "better";
  case Verdict::kSlower:
    return metric.is_speed() ? "slower" : "worse";
  case Verdict::kSame:
    return "same";
  case Verdict::kUnclear:
    break;
  }
  return "unclear";
}

} // namespace sdbench
