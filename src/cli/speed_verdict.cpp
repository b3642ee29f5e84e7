#include "sdbench/cli/speed_verdict.h"

#include <cmath>

#include "sdbench/core/number_text.h"

namespace sdbench {
namespace {

constexpr double kLeastGap = 0.01;
constexpr double kSameWithin = 0.05;

std::optional<Interval> ratio_interval(const RateWithInterval& a, const RateWithInterval& b) {
  if (!a.interval || !b.interval) {
    return std::nullopt;
  }
  const double middle = std::log(a.rate / b.rate);
  const double below =
      std::hypot(std::log(a.rate / a.interval->low), std::log(b.interval->high / b.rate));
  const double above =
      std::hypot(std::log(a.interval->high / a.rate), std::log(b.rate / b.interval->low));
  return Interval{std::exp(middle - below), std::exp(middle + above)};
}

/// "+12.3", "-4.1": percent
std::string change_text(double ratio) {
  constexpr double kPercent = 100;
  const double percent = kPercent * (ratio - 1);
  return (percent < 0 ? "-" : "+") + significant_text(std::abs(percent), 2);
}

} // namespace

SpeedVerdict judge_speed(const RateWithInterval& rate, const RateWithInterval& other) {
  SpeedVerdict verdict;
  verdict.ratio = rate.rate / other.rate;
  verdict.interval = ratio_interval(rate, other);
  if (!verdict.interval) {
    return verdict;
  }
  const bool has_gap = std::abs(verdict.ratio - 1) >= kLeastGap;
  if (has_gap && verdict.interval->low > 1) {
    verdict.speed = Speed::kFaster;
  } else if (has_gap && verdict.interval->high < 1) {
    verdict.speed = Speed::kSlower;
  } else if (verdict.interval->low >= 1 - kSameWithin &&
             verdict.interval->high <= 1 + kSameWithin) {
    verdict.speed = Speed::kSame;
  }
  return verdict;
}

std::string verdict_words(const SpeedVerdict& verdict) {
  const std::string by = change_text(verdict.ratio) + " %";
  const std::string interval = verdict.interval
                                   ? " (95 % interval " + change_text(verdict.interval->low) +
                                         " to " + change_text(verdict.interval->high) + " %)"
                                   : " (no interval: one of the two has a single run)";
  switch (verdict.speed) {
  case Speed::kFaster:
    return "faster: " + by + interval;
  case Speed::kSlower:
    return "slower: " + by + interval;
  case Speed::kSame:
    return "the same: " + by + interval;
  case Speed::kUnclear:
    return "unclear: " + by + interval;
  }
  return {};
}

} // namespace sdbench
