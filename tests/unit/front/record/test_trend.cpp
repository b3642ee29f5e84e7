#include "sdbench/front/record/trend.h"

#include <random>
#include <vector>

#include "catch.h"

using namespace sdbench;

namespace {

std::vector<double> noise_with_slope(std::mt19937& random, std::size_t count, double slope) {
  std::normal_distribution<double> noise(1, 0.01);
  std::vector<double> samples;
  for (std::size_t i = 0; i < count; ++i) {
    samples.push_back(noise(random) + slope * static_cast<double>(i) / static_cast<double>(count));
  }
  return samples;
}

} // namespace

TEST_CASE("ten rising values are hardly chance, ten falling ones are no rise") {
  const std::vector<double> rising{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<double> falling(rising.rbegin(), rising.rend());
  // S = 45, variance 125: z = 44 / sqrt(125) = 3.9355
  CHECK(mann_kendall_p(rising) == Approx(4.1515e-05).epsilon(1e-4));
  CHECK(mann_kendall_p(falling) > 0.9999);
  CHECK(mann_kendall_p(std::vector<double>(10, 3.0)) == 1);
  CHECK(mann_kendall_p(std::vector<double>{}) == 1);
}

TEST_CASE("Theil and Sen's slope is the median of the pairs' slopes") {
  CHECK(theil_sen_slope(std::vector<double>{1, 3, 5, 7, 100}) == 2); // six pairs of ten
  CHECK(theil_sen_slope(std::vector<double>{5}) == 0);
}

TEST_CASE("a rise is measured as a part of the typical sample") {
  std::vector<double> samples;
  for (int block = 0; block < 10; ++block) {
    samples.insert(samples.end(), 5, 100.0 + block);
  }
  const auto trend = rising_trend(samples);
  REQUIRE(trend);
  CHECK(trend->change == Approx(9 / 104.5));
  CHECK(trend->p_value < 1e-4);
}

TEST_CASE("hiccups make no trend") {
  std::vector<double> samples(100, 1.0);
  samples[90] = samples[95] = samples[99] = 50;
  const auto trend = rising_trend(samples);
  REQUIRE(trend);
  CHECK(trend->change == 0);
  CHECK(trend->p_value == 1);
}

TEST_CASE("too few samples have no trend") {
  CHECK_FALSE(rising_trend(std::vector<double>(kSamplesForTrend - 1, 1.0)));
  CHECK(rising_trend(std::vector<double>(kSamplesForTrend, 1.0)));
}

TEST_CASE("noise is seldom taken for a trend, and a slow rise in it is found") {
  std::mt19937 random(7);
  int false_alarms = 0;
  int found = 0;
  constexpr int kTrials = 1000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto chance = rising_trend(noise_with_slope(random, 150, 0));
    const auto heat = rising_trend(noise_with_slope(random, 150, 0.05));
    false_alarms += chance->p_value < 0.01 ? 1 : 0;
    found += heat->p_value < 0.01 ? 1 : 0;
  }
  CHECK(false_alarms < 20); // 1 % of them are due
  CHECK(found > 990);
}
