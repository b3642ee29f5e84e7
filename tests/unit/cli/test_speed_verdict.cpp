#include "sdbench/cli/speed_verdict.h"

#include <cmath>

#include "catch.h"

using namespace sdbench;

namespace {

RateWithInterval rate_within(double rate, double share) {
  return {rate, Interval{rate * (1 - share), rate * (1 + share)}};
}

} // namespace

TEST_CASE(
    "a rate is faster or slower where intervals leave no doubt, and the same where they agree") {
  CHECK(judge_speed(rate_within(20, 0.01), rate_within(10, 0.01)).speed == Speed::kFaster);
  CHECK(judge_speed(rate_within(10, 0.01), rate_within(20, 0.01)).speed == Speed::kSlower);
  CHECK(judge_speed(rate_within(10, 0.01), rate_within(10.05, 0.01)).speed == Speed::kSame);
  CHECK(judge_speed(rate_within(11, 0.2), rate_within(10, 0.2)).speed == Speed::kUnclear);
  CHECK(judge_speed({10, std::nullopt}, rate_within(20, 0.01)).speed == Speed::kUnclear);
}

TEST_CASE("a sure difference under one per cent is none") {
  CHECK(judge_speed(rate_within(10.08, 0.0001), rate_within(10, 0.0001)).speed == Speed::kSame);
  CHECK(judge_speed(rate_within(10.2, 0.0001), rate_within(10, 0.0001)).speed == Speed::kFaster);
}

TEST_CASE("the ratio's interval joins both on the scale of logarithms") {
  const RateWithInterval a{8, Interval{8 / 1.2, 8 * 1.2}};
  const RateWithInterval b{4, Interval{4 / 1.1, 4 * 1.1}};
  const SpeedVerdict verdict = judge_speed(a, b);
  const double half_width = std::hypot(std::log(1.2), std::log(1.1));
  CHECK(verdict.ratio == 2);
  CHECK(verdict.interval.value().low == Approx(2 * std::exp(-half_width)));
  CHECK(verdict.interval.value().high == Approx(2 * std::exp(half_width)));
}

TEST_CASE("a verdict is one phrase with its change and interval") {
  const auto words = [](Speed speed) { return verdict_words({speed, 0.9, Interval{0.8, 1.012}}); };
  CHECK(words(Speed::kSlower) == "slower: -10.0 % (95 % interval -20 to +1.2 %)");
  CHECK(words(Speed::kUnclear) == "unclear: -10.0 % (95 % interval -20 to +1.2 %)");
  CHECK(verdict_words({Speed::kUnclear, 1.5, std::nullopt}) ==
        "unclear: +50 % (no interval: one of the two has a single run)");
}
