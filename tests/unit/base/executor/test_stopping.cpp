#include "sdbench/base/executor/stopping.h"

#include <vector>

#include "catch.h"

using namespace sdbench;

namespace {

using Times = std::vector<double>;

std::optional<StopReason> after(const StopRule& rule, const Times& e2e_s, double elapsed_s = 0) {
  return enough_runs(rule, e2e_s, elapsed_s);
}

std::optional<WarmupReason> warm(const StopRule& rule, const Times& batch_s, double elapsed_s = 0) {
  return enough_warmups(rule, batch_s, elapsed_s);
}

} // namespace

TEST_CASE("The option --repeat alone counts runs, whatever they took") {
  StopRule rule;
  rule.repeat = 2;
  CHECK_FALSE(after(rule, {}));
  CHECK_FALSE(after(rule, {1}));
  CHECK(after(rule, {1, 9}) == StopReason::kRepeat);
  rule.repeat = 1;
  CHECK(after(rule, {1}) == StopReason::kRepeat);
}

TEST_CASE("The option --max-noise goes on until the mean is sure enough, from three runs on") {
  StopRule rule;
  rule.repeat = 1;
  rule.max_noise = 0.25;
  // 1, 3, 5: sd 2, mean 3, standard error 2 / sqrt(3): 0.3849 of the mean.
  CHECK_FALSE(after(rule, {3}));
  CHECK_FALSE(after(rule, {3, 3}));
  CHECK(after(rule, {3, 3, 3}) == StopReason::kMaxNoise);
  CHECK_FALSE(after(rule, {1, 3, 5}));
  rule.max_noise = 0.3850;
  CHECK(after(rule, {1, 3, 5}) == StopReason::kMaxNoise);
  rule.max_noise = 0.3848;
  CHECK_FALSE(after(rule, {1, 3, 5}));
}

TEST_CASE("The option --repeat beside --max-noise is the fewest runs") {
  StopRule rule;
  rule.repeat = 4;
  rule.max_noise = 0.01;
  CHECK_FALSE(after(rule, {2, 2, 2}));
  CHECK(after(rule, {2, 2, 2, 2}) == StopReason::kMaxNoise);
}

TEST_CASE("a noise that never falls under its bound ends after a hundred runs") {
  StopRule rule;
  rule.max_noise = 1e-6;
  Times times;
  for (int run = 0; run < 50; ++run) {
    times.insert(times.end(), {1, 2});
  }
  CHECK(after(rule, times) == StopReason::kMaxRuns);
  times.pop_back();
  CHECK_FALSE(after(rule, times));
  rule.repeat = 200; // who wants more gets more
  times.push_back(2);
  CHECK_FALSE(after(rule, times));
}

TEST_CASE("The option --max-time ends a cell at its time, but the reason is what was reached") {
  StopRule rule;
  rule.max_time_s = 60;
  CHECK_FALSE(after(rule, {1}, 59.9));
  CHECK(after(rule, {1}, 60) == StopReason::kMaxTime);
  CHECK(after(rule, {}, 60) == StopReason::kMaxTime);
  CHECK(after(rule, {1, 1, 1}, 60) == StopReason::kRepeat);
  CHECK_FALSE(time_is_over({}, 1e9));
}

TEST_CASE("warm-up ends when two images in a row agree, the first one included") {
  const StopRule rule;
  CHECK_FALSE(warm(rule, {8})); // at least one
  CHECK(warm(rule, {8, 8}) == WarmupReason::kSettled);
  CHECK_FALSE(warm(rule, {8, 4}));
  CHECK_FALSE(warm(rule, {8, 4, 2}));
  CHECK(warm(rule, {8, 4, 2, 2.09}) == WarmupReason::kSettled); // 4.3 % of 2.09
  CHECK_FALSE(warm(rule, {8, 4, 2, 2.11}));                     // 5.2 %
  CHECK(warm(rule, {8, 4, 2, 1.91}) == WarmupReason::kSettled);
  CHECK_FALSE(warm(rule, {8, 4, 2, 1.9}));
}

TEST_CASE("warm-up ends after five images that never agree") {
  const StopRule rule;
  CHECK_FALSE(warm(rule, {64, 32, 16, 8, 4}));
  CHECK(warm(rule, {64, 32, 16, 8, 4, 2}) == WarmupReason::kLimit);
}

TEST_CASE("The option --warmup N is exact") {
  StopRule rule;
  rule.warmup = 0;
  CHECK(warm(rule, {8}) == WarmupReason::kAsked);
  rule.warmup = 2;
  CHECK_FALSE(warm(rule, {8, 8}));
  CHECK(warm(rule, {8, 8, 4}) == WarmupReason::kAsked);
}

TEST_CASE("half of --max-time is kept for the timed runs") {
  StopRule rule;
  rule.max_time_s = 60;
  CHECK_FALSE(warm(rule, {8}, 29));
  CHECK(warm(rule, {30}, 30) == WarmupReason::kMaxTime);
  rule.warmup = 3; // exact, as long as there is time
  CHECK_FALSE(warm(rule, {30}, 30));
  CHECK(warm(rule, {60}, 60) == WarmupReason::kMaxTime);
}

TEST_CASE("every reason has a name of its own") {
  CHECK(name_of(StopReason::kRepeat) == "repeat");
  CHECK(name_of(StopReason::kMaxNoise) == "max_noise");
  CHECK(name_of(StopReason::kMaxRuns) == "max_runs");
  CHECK(name_of(StopReason::kMaxTime) == "max_time");
  CHECK(name_of(StopReason::kInterrupted) == "interrupted");
  CHECK(name_of(WarmupReason::kAsked) == "asked");
  CHECK(name_of(WarmupReason::kSettled) == "settled");
  CHECK(name_of(WarmupReason::kLimit) == "limit");
  CHECK(name_of(WarmupReason::kMaxTime) == "max_time");
}
