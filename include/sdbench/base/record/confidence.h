#pragma once

#include <optional>
#include <span>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// From `low` to `high`, in the unit of the rate.
struct Interval {
  double low = 0;
  double high = 0;
};

/// 95 % interval of the rate amount / time, from several times of the same amount. Made on the
/// scale of time, where the samples are (Student's t), and turned into a rate at both ends: not
/// symmetric around the rate. nullopt below two times, and where they spread so far that the slow
/// end has no other.
[[nodiscard]] std::optional<Interval> rate_interval(double amount, std::span<const double> times);

/// Sets the record's 95 % intervals from what a unit (a run, or a row) took for an iteration and
/// for an image, seconds. Without an interval all its fields are empty.
void set_intervals(RunRecord& record, const char* covers, std::span<const double> s_per_it,
                   std::span<const double> s_per_image);

/// Fills what the timed runs say of their own reliability: the 95 % intervals within the run,
/// noise, outliers and drift, with the flags "noisy", "outliers" and "drift". `max_noise` is the
/// bound that was asked for. Needs filled times.
void fill_confidence(RunRecord& record, std::optional<double> max_noise);

/// Flagged "noisy": the mean end-to-end time's 95 % interval reaches farther than this fraction.
inline constexpr double kNoisyBeyond = 0.05;
/// Flagged "drift": steps grow by more than `kDriftBeyond`, with less than `kDriftChance` for
/// chance.
inline constexpr double kDriftBeyond = 0.02;
inline constexpr double kDriftChance = 0.01;

} // namespace sdbench
