#include "sdbench/front/record/confidence.h"

#include <cmath>
#include <utility>
#include <vector>

#include "catch.h"
#include "image_sample.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/front/record/run_times.h"

using namespace sdbench;

namespace {

/// A record of runs of one image and two steps with these times from end to end, half of which is
/// the UNet's.
RunRecord record_of(const std::vector<double>& e2e_s, std::optional<double> max_noise = {}) {
  RunRecord record;
  record.images = record.batch = 1;
  CellResult result;
  for (const double time : e2e_s) {
    result.samples.push_back(test::image_sample(0, time / 2, 0, time, {time / 4, time / 4}));
  }
  fill_times(record, result);
  fill_confidence(record, max_noise);
  return record;
}

/// A record of one run with these steps.
RunRecord record_of_steps(const std::vector<double>& step_s) {
  RunRecord record;
  record.images = record.batch = 1;
  CellResult result;
  result.samples = {test::image_sample(0, 1, 0, 1, step_s)};
  fill_times(record, result);
  fill_confidence(record, {});
  return record;
}

} // namespace

TEST_CASE("the interval of a rate is made of times and turned over") {
  // mean 4, sd 0.2, half width 4.302653 * 0.2 / sqrt(3)
  const auto interval = rate_interval(60, std::vector<double>{3.8, 4, 4.2});
  REQUIRE(interval);
  CHECK(interval->low == Approx(60 / (4 + 0.496827546)).epsilon(1e-8));
  CHECK(interval->high == Approx(60 / (4 - 0.496827546)).epsilon(1e-8));
}

TEST_CASE("times that spread too far, or are too few, give no interval") {
  CHECK_FALSE(rate_interval(1, std::vector<double>{1}));
  CHECK_FALSE(rate_interval(1, std::vector<double>{1, 3})); // 2 +- 12.7
  CHECK_FALSE(rate_interval(1, std::vector<double>{0, 0}));
}

TEST_CASE("a row's intervals take runs as units, not steps") {
  const RunRecord record = record_of({3.8, 4, 4.2});
  CHECK(record.ci95_covers == "within-run");
  CHECK(record.ci95_count == 3);
  CHECK(record.unet_it_s == 1);
  CHECK(record.unet_it_s_ci95_low == Approx(4 / 4.496827546).epsilon(1e-8));
  CHECK(record.unet_it_s_ci95_high == Approx(4 / 3.503172454).epsilon(1e-8));
  CHECK(record.images_per_min_ci95_low == Approx(60 / 4.496827546).epsilon(1e-8));
  CHECK(record.images_per_min_ci95_high == Approx(60 / 3.503172454).epsilon(1e-8));
  CHECK(record.noise == Approx(0.05 / std::sqrt(3.0)));
}

TEST_CASE("one run has no interval, and says nothing of what it would cover") {
  const RunRecord record = record_of({4});
  CHECK(record.ci95_covers.empty());
  CHECK_FALSE(record.ci95_count);
  CHECK_FALSE(record.unet_it_s_ci95_low);
  CHECK_FALSE(record.noise);
  CHECK(record.flags.empty());
}

TEST_CASE("a mean whose interval reaches beyond 5 % is flagged as noisy") {
  // half width 4.302653 * sd / sqrt(3): 2.484 sd
  CHECK(record_of({0.98, 1, 1.02}).flags.empty());      // 4.97 %
  CHECK(record_of({0.979, 1, 1.021}).flags == "noisy"); // 5.2 %
}

TEST_CASE("a bound of noise that was asked for and not reached is flagged as noisy") {
  const std::vector<double> times{0.99, 1, 1.01}; // 0.577 %
  CHECK(record_of(times, 0.005).flags == "noisy");
  CHECK(record_of(times, 0.006).flags.empty());
}

TEST_CASE("outliers are counted and flagged, and stay in the mean") {
  const RunRecord record = record_of({1, 1, 1, 1, 2});
  CHECK(record.run_outliers == 1);
  CHECK(record.step_outliers == 2);
  CHECK_THAT(record.flags, Catch::Matchers::ContainsSubstring("outliers"));
  CHECK(record.e2e_s == Approx(1.2));
  const RunRecord few = record_of({1, 1});
  CHECK_FALSE(few.run_outliers); // unknown, not 0, because runs are too few to tell
  CHECK_FALSE(few.step_outliers);
  CHECK(record_of({1, 1, 1, 1, 1}).run_outliers == 0);
}

TEST_CASE("a run's first step is compared with first steps, for it always has more to do") {
  const std::vector<double> steps{9, 7, 7, 7, 7, 7, 7, 7};
  const auto record_of_runs = [&](std::vector<RunSample> runs) {
    RunRecord record;
    record.images = 1;
    record.samples = std::move(runs);
    fill_confidence(record, std::nullopt);
    return record;
  };
  const auto run_of = [](std::vector<double> step_s) {
    RunSample run;
    run.e2e_s = 60;
    run.step_s = std::move(step_s);
    return run;
  };
  std::vector<RunSample> runs(6, run_of(steps));
  CHECK(record_of_runs(runs).step_outliers == 0);
  runs[2].step_s[0] = 12; // one slow first step
  CHECK(record_of_runs(runs).step_outliers == 1);
  runs[3].step_s[5] = 9; // one slow later step, which takes as long as a usual first step
  CHECK(record_of_runs(runs).step_outliers == 2);
  CHECK(record_of_runs({run_of({9}), run_of({9})}).step_outliers == std::nullopt);

  RunRecord of_batches; // three batches per run, each with a first step
  of_batches.images = 3;
  of_batches.unet_calls = 4;
  of_batches.samples.assign(2, run_of({9, 7, 7, 7, 9, 7, 7, 7, 9, 7, 7, 7}));
  fill_confidence(of_batches, std::nullopt);
  CHECK(of_batches.step_outliers == 0);
}

TEST_CASE("the smaller batch that ends an epoch is no outlier, and another short one is") {
  RunRecord record;
  record.epochs = 4;
  record.batch = 4;
  record.images = 30; // seven batches and two images
  RunSample epoch;
  epoch.e2e_s = 37;
  epoch.step_s = {5, 5, 5, 5, 5, 5, 5, 2};
  record.samples.assign(3, epoch);
  const auto outliers = [&] {
    RunRecord counted = record;
    fill_confidence(counted, std::nullopt);
    return counted.step_outliers;
  };
  CHECK(outliers() == 0);
  record.samples[1].step_s[3] = 2;
  CHECK(outliers() == 1);
}

TEST_CASE("steps that grow slower and slower are flagged as drift, and faster ones are not") {
  std::vector<double> heating;
  for (int step = 0; step < 50; ++step) {
    heating.push_back(0.02 * (1 + 0.002 * step)); // 10 % by the end
  }
  const RunRecord record = record_of_steps(heating);
  CHECK(record.drift == Approx(0.086).margin(0.002)); // between the middles of the outer blocks
  CHECK(*record.drift_p < 1e-4);
  CHECK(record.flags == "drift");
  CHECK(record_of_steps({heating.rbegin(), heating.rend()}).flags.empty());
}

TEST_CASE("a trend too small to matter is written down but not flagged") {
  std::vector<double> steps;
  for (int step = 0; step < 50; ++step) {
    steps.push_back(1 + 0.0002 * step); // 1 % by the end
  }
  const RunRecord record = record_of_steps(steps);
  CHECK(*record.drift_p < 1e-4);
  CHECK(record.flags.empty());
}

TEST_CASE("few steps have no trend") {
  const RunRecord record = record_of_steps({1, 2, 3, 4});
  CHECK_FALSE(record.drift);
  CHECK_FALSE(record.drift_p);
}
