#include "sdbench/front/compare/verdict.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "catch.h"
#include "sdbench/base/numbers/statistics.h"

using namespace sdbench;

namespace {

/// A time with an interval of `half` on each side.
PooledFigure time_with(double mean, double half) {
  PooledFigure figure;
  figure.mean = mean;
  figure.degrees_of_freedom = 1000000; // t is 1.96
  figure.standard_error = half / 1.959966;
  return figure;
}

PooledFigure measured(std::mt19937& random, double mean, double sd, std::int64_t runs) {
  std::normal_distribution<double> normal(mean, sd);
  std::vector<double> samples;
  for (std::int64_t i = 0; i < runs; ++i) {
    samples.push_back(normal(random));
  }
  const RowFigure row{*sdbench::mean(samples), sample_sd(samples), runs};
  return pool_figures({&row, 1});
}

} // namespace

TEST_CASE(
    "two equal spreads have the sum of their degrees of freedom, whatever their last digits") {
  for (const double variance : {1e-6, 0.1 * 0.1, 1.0 / 3, 7e-9}) {
    CHECK(welch_satterthwaite(variance, 2, variance * (1 + 1e-5), 2) == 4);
    CHECK(welch_satterthwaite(variance, 2, variance * (1 - 1e-5), 2) == 4);
  }
  CHECK(welch_satterthwaite(1, 2, 1.2, 2) == 3); // 3.97
}

TEST_CASE("a rate is faster where its time is shorter, and memory is better where it is less") {
  const Metric rate = find_metric("unet_it_s");
  const Metric memory = find_metric("peak_host_bytes");
  const PooledFigure small = time_with(1.0, 0.01);
  const PooledFigure large = time_with(2.0, 0.01);
  CHECK(verdict_of(rate, small, large, 0.01) == Verdict::kFaster);
  CHECK(verdict_of(rate, large, small, 0.01) == Verdict::kSlower);
  CHECK(relative_to(rate, small, large).value == Approx(2));
  CHECK(verdict_of(memory, small, large, 0.01) == Verdict::kFaster);
  CHECK(word_of(Verdict::kFaster, memory) == "better");
  CHECK(relative_to(memory, small, large).value == Approx(0.5));
}

TEST_CASE("a quotient's interval is the reciprocal of the swapped one's") {
  const Ratio there = ratio_of(time_with(1.0, 0.02), time_with(1.5, 0.09));
  const Ratio back = ratio_of(time_with(1.5, 0.09), time_with(1.0, 0.02));
  REQUIRE((there.interval && back.interval));
  CHECK(there.interval->low == Approx(1 / back.interval->high));
  CHECK(there.interval->high == Approx(1 / back.interval->low));
}

TEST_CASE("a verdict needs disjoint intervals and a gap of the threshold") {
  const Metric metric = find_metric("e2e_s");
  const PooledFigure base = time_with(1.0, 0.002);
  CHECK(verdict_of(metric, time_with(1.05, 0.002), base, 0.01) == Verdict::kSlower);
  CHECK(verdict_of(metric, time_with(1.05, 0.06), base, 0.01) == Verdict::kUnclear);   // overlap
  CHECK(verdict_of(metric, time_with(1.009, 0.004), base, 0.01) == Verdict::kUnclear); // small gap
  CHECK(verdict_of(metric, time_with(1.003, 0.002), base, 0.01) == Verdict::kSame);
  CHECK(verdict_of(metric, time_with(1.0, 0.02), base, 0.01) == Verdict::kUnclear); // too wide
  CHECK(verdict_of(metric, time_with(1.05, 0.002), base, 0.06) == Verdict::kSame);
}

TEST_CASE("without an interval nothing is clear") {
  PooledFigure bare;
  bare.mean = 5;
  const PooledFigure base = time_with(1.0, 0.002);
  CHECK(verdict_of(find_metric("e2e_s"), bare, base, 0.01) == Verdict::kUnclear);
  CHECK_FALSE(ratio_of(bare, base).interval.has_value());
  CHECK(ratio_of(bare, base).value == Approx(5));
}

TEST_CASE("the quotient's interval holds the truth as often as it says") {
  std::mt19937 random(2026);
  constexpr int kTrials = 4000;
  int hits = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Ratio ratio = ratio_of(measured(random, 3, 0.06, 3), measured(random, 2, 0.02, 5));
    hits += ratio.interval->low <= 1.5 && 1.5 <= ratio.interval->high ? 1 : 0;
  }
  const double share = static_cast<double>(hits) / kTrials;
  CHECK(share > 0.94); // rounding degrees of freedom down makes intervals rather too wide
  CHECK(share < 0.985);
}

TEST_CASE("two equal machines are hardly ever told apart") {
  std::mt19937 random(7);
  constexpr int kTrials = 2000;
  int wrong = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Verdict verdict = verdict_of(find_metric("e2e_s"), measured(random, 1, 0.03, 4),
                                       measured(random, 1, 0.03, 4), 0.01);
    wrong += verdict == Verdict::kFaster || verdict == Verdict::kSlower ? 1 : 0;
  }
  CHECK(wrong < kTrials / 100); // disjoint 95 % intervals are a far stricter test than 5 %
}

// Starts of a program differ by more than their runs, and sometimes by far more. Models this with
// Student's t of 3 degrees of freedom, and one start in twenty that takes 1.5 times as long.
TEST_CASE("two equal machines are hardly ever told apart by rows with heavy tails") {
  std::mt19937 random(20);
  std::student_t_distribution<double> start(3);
  std::uniform_real_distribution<double> luck;
  std::normal_distribution<double> run(0, 0.002);
  const auto pooled = [&](int rows) {
    std::vector<RowFigure> figures;
    for (int row = 0; row < rows; ++row) {
      const double mean = (1 + 0.02 * start(random)) * (luck(random) < 0.05 ? 1.5 : 1);
      std::vector<double> samples;
      for (int i = 0; i < 5; ++i) {
        samples.push_back(std::max(0.1, mean) + run(random));
      }
      figures.push_back({*sdbench::mean(samples), sample_sd(samples), 5});
    }
    return pool_figures(figures);
  };
  for (int rows = 2; rows <= 6; ++rows) {
    constexpr int kTrials = 4000;
    int wrong = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      const Verdict verdict = verdict_of(find_metric("e2e_s"), pooled(rows), pooled(rows), 0.01);
      wrong += verdict == Verdict::kFaster || verdict == Verdict::kSlower ? 1 : 0;
    }
    INFO(rows << " rows a side");
    CHECK(wrong <= kTrials / 20);
  }
}
