#pragma once

#include <optional>
#include <span>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Ends of a confidence interval, in the unit of the rate.
struct Interval {
  double low = 0;
  double high = 0;
};

/// 95 % confidence interval of the rate amount / time. `times` are repeated measurements of the
/// same amount of work. Student's t gives the interval of the mean time. Both ends are then turned
/// into rates, so the interval is not symmetric around the rate. nullopt for fewer than two times,
/// and if the times vary so much that their interval reaches zero.
[[nodiscard]] std::optional<Interval> rate_interval(double amount, std::span<const double> times);

/// Sets the record's 95 % intervals from the seconds per iteration and per image. Each list has one
/// value per run if `covers` is "within-run", and one per row if it is "between-runs". Where no
/// interval can be computed, the fields become empty.
void set_intervals(RunRecord& record, const char* covers, std::span<const double> s_per_it,
                   std::span<const double> s_per_image);

/// Fills the fields for noise, outliers and drift, and the 95 % intervals over the record's timed
/// runs. Sets the flags "noisy", "outliers" and "drift". `max_noise`: the bound that the user gave,
/// a relative standard error. Call it after fill_times() or fill_whole_runs().
void fill_confidence(RunRecord& record, std::optional<double> max_noise);

/// A row gets the flag "noisy" if half the 95 % interval of its mean end-to-end time exceeds this
/// fraction of the mean.
inline constexpr double kNoisyBeyond = 0.05;
/// A row gets the flag "drift" if its step times grow by more than the fraction `kDriftBeyond`, and
/// the probability of such a trend by chance is below `kDriftChance`.
inline constexpr double kDriftBeyond = 0.02;
inline constexpr double kDriftChance = 0.01;

} // namespace sdbench
