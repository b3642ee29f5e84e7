#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/pooled_figure.h"

namespace sdbench {

/// The result of comparing two figures.
enum class Verdict { kFaster, kSlower, kSame, kUnclear };

/// a / b with its 95 % interval.
struct Ratio {
  double value = 1;
  std::optional<Interval> interval; ///< nullopt if a or b has no standard error
};

/// The quotient of two independent means. The interval is computed on the logarithmic scale (delta
/// method: squares of the relative standard errors add up), with Student's t for the
/// Welch-Satterthwaite degrees of freedom, rounded down. The interval is never negative. The
/// interval of b / a has the reciprocal bounds.
[[nodiscard]] Ratio ratio_of(const PooledFigure& a, const PooledFigure& b);

/// a - b with its 95 % interval.
struct MeanDifference {
  double value = 0;
  std::optional<Interval> interval; ///< nullopt if a or b has no standard error
  double standard_error = 0;        ///< this and the next member are valid only with an interval
  std::int64_t degrees_of_freedom = 0;
};

/// Degrees of freedom of a sum of two independent variances, after Welch and Satterthwaite, rounded
/// down. A value at most a thousandth below a whole number is rounded up to it.
[[nodiscard]] std::int64_t welch_satterthwaite(double variance_a, std::int64_t degrees_a,
                                               double variance_b, std::int64_t degrees_b);

/// The difference of two independent means. The squares of their standard errors add up; Student's
/// t is used as in ratio_of().
[[nodiscard]] MeanDifference difference_of(const PooledFigure& a, const PooledFigure& b);

/// `ours` relative to `base`: for rates and times the quotient of speeds (2: twice as fast), else
/// the quotient of the values.
[[nodiscard]] Ratio relative_to(const Metric& metric, const PooledFigure& ours,
                                const PooledFigure& base);

/// The verdict on `ours` compared with `base`. "Faster" means better, for any metric.
/// - faster, slower: the 95 % intervals are disjoint, and the larger mean is at least `threshold`
///   (0.01: 1 %) above the smaller one
/// - same: each value of one interval is within the threshold of each value of the other
/// - unclear: all other cases, and whenever an interval is missing
[[nodiscard]] Verdict verdict_of(const Metric& metric, const PooledFigure& ours,
                                 const PooledFigure& base, double threshold);

/// The verdict as a word: "faster", "slower", "same" or "unclear". For a metric that is not a
/// speed, "better" and "worse" instead of "faster" and "slower".
[[nodiscard]] std::string_view word_of(Verdict verdict, const Metric& metric);

/// The fraction by which `ours` is worse than `base` (0.05: 5 %). For a rate, pass the reciprocals
/// of the two rates (Metric::averaged_scale()).
[[nodiscard]] double worse_by(const Metric& metric, double ours, double base);

} // namespace sdbench
