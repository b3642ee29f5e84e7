#pragma once

#include <optional>
#include <string>

#include "sdbench/record/confidence.h"
#include "sdbench/record/run_record.h"

namespace sdbench {

enum class Speed { kFaster, kSlower, kSame, kUnclear };

/// How a rate compares with another.
struct SpeedVerdict {
  Speed speed = Speed::kUnclear;
  double ratio = 1;                 ///< this rate by the other
  std::optional<Interval> interval; ///< 95 %, of the ratio; empty where a rate has none
};

/// A rate with its 95 % interval, if it has one.
struct RateWithInterval {
  double rate = 0; ///< above zero
  std::optional<Interval> interval;
};

/// Faster or slower needs an interval of the ratio without 1, and a gap of 1 % or more; the same an
/// interval within 5 % of 1; all else is unclear. Intervals are joined on the scale of logarithms.
[[nodiscard]] SpeedVerdict judge_speed(const RateWithInterval& rate, const RateWithInterval& other);

/// "faster by 12.3 % (95 % interval 8.1 to 16.9 %)", "the same: slower by 0.2 % (…)".
[[nodiscard]] std::string verdict_words(const SpeedVerdict& verdict);

} // namespace sdbench
