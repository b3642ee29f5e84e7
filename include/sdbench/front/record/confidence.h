#pragma once

#include <optional>
#include <span>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// From `low` to `high`, in the unit of the rate.
struct Interval {
  double low = 0;
  double high = 0;
};

/// 95 % interval of the rate amount / time, from several times of the same amount. Student's t
/// gives the interval of the time, and both its ends are turned into rates, so it is not symmetric
/// around the rate. nullopt below two times, and if they spread so far that the time's interval
/// reaches zero.
[[nodiscard]] std::optional<Interval> rate_interval(double amount, std::span<const double> times);

/// Sets the record's 95 % intervals from the seconds for an iteration and for an image of each unit
/// (a run, or a row). Without an interval its fields are empty.
void set_intervals(RunRecord& record, const char* covers, std::span<const double> s_per_it,
                   std::span<const double> s_per_image);

/// Fills the 95 % intervals within the run, noise, outliers and drift, and sets the flags "noisy",
/// "outliers" and "drift". `max_noise` is the bound that was asked for. Needs filled times.
void fill_confidence(RunRecord& record, std::optional<double> max_noise);

/// A row is flagged "noisy" if the 95 % interval of its mean end-to-end time reaches farther than
/// this fraction of it.
inline constexpr double kNoisyBeyond = 0.05;
/// A row is flagged "drift" if its steps grow by more than `kDriftBeyond`, and the probability of
/// such a trend by chance is below `kDriftChance`.
inline constexpr double kDriftBeyond = 0.02;
inline constexpr double kDriftChance = 0.01;

} // namespace sdbench
