#include "sdbench/base/executor/stopping.h"

#include <algorithm>
#include <cmath>

#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/named.h"

namespace sdbench {

namespace {

constexpr Named<StopReason> kStopReasons[] = {{StopReason::kRepeat, "repeat"},
                                              {StopReason::kMaxNoise, "max_noise"},
                                              {StopReason::kMaxRuns, "max_runs"},
                                              {StopReason::kMaxTime, "max_time"},
                                              {StopReason::kInterrupted, "interrupted"}};
constexpr Named<WarmupReason> kWarmupReasons[] = {{WarmupReason::kAsked, "asked"},
                                                  {WarmupReason::kSettled, "settled"},
                                                  {WarmupReason::kLimit, "limit"},
                                                  {WarmupReason::kMaxTime, "max_time"}};

} // namespace

std::string_view name_of(StopReason reason) {
  return name_in(kStopReasons, reason);
}

std::string_view name_of(WarmupReason reason) {
  return name_in(kWarmupReasons, reason);
}

bool time_is_over(const StopRule& rule, double elapsed_s) {
  return rule.max_time_s && elapsed_s >= *rule.max_time_s;
}

std::optional<StopReason> enough_runs(const StopRule& rule, std::span<const double> e2e_s,
                                      double elapsed_s) {
  const auto runs = static_cast<std::int64_t>(e2e_s.size());
  if (!rule.max_noise) {
    if (runs >= rule.repeat) {
      return StopReason::kRepeat;
    }
  } else if (runs >= std::max(rule.repeat, kMinRunsForNoise)) {
    if (relative_standard_error(e2e_s).value_or(HUGE_VAL) < *rule.max_noise) {
      return StopReason::kMaxNoise;
    }
    if (runs >= std::max(rule.repeat, kMaxRunsForNoise)) {
      return StopReason::kMaxRuns;
    }
  }
  return time_is_over(rule, elapsed_s) ? std::optional(StopReason::kMaxTime) : std::nullopt;
}

std::optional<WarmupReason> enough_warmups(const StopRule& rule, std::span<const double> batch_s,
                                           double elapsed_s) {
  if (time_is_over(rule, elapsed_s)) {
    return WarmupReason::kMaxTime;
  }
  const auto warmups = static_cast<std::int64_t>(batch_s.size()) - 1;
  if (rule.warmup) {
    return warmups >= *rule.warmup ? std::optional(WarmupReason::kAsked) : std::nullopt;
  }
  if (warmups >= 1) {
    const double last = batch_s[batch_s.size() - 1];
    const double before = batch_s[batch_s.size() - 2];
    if (std::abs(last - before) < kSettledWithin * last) {
      return WarmupReason::kSettled;
    }
  }
  if (warmups >= kMaxWarmups) {
    return WarmupReason::kLimit;
  }
  constexpr double kShareBeforeTiming = 0.5; // of the cell's time; the rest is for timed runs
  return rule.max_time_s && elapsed_s >= kShareBeforeTiming * *rule.max_time_s
             ? std::optional(WarmupReason::kMaxTime)
             : std::nullopt;
}

} // namespace sdbench
