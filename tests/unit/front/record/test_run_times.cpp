#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/run_times.h"

#include "catch.h"
#include "image_sample.h"

using namespace sdbench;

namespace {

/// Two images in one batch, four steps. The numbers are powers of two, so every figure is exact.
RunRecord workload() {
  RunRecord record;
  record.width = 1000;
  record.height = 500;
  record.steps = 4;
  record.batch = 2;
  record.images = 2;
  record.unet_tflop = 1.5;
  return record;
}

CellResult two_runs() {
  CellResult result;
  result.load_s = 8;
  result.first_image = test::image_sample(0.5, 4, 0.5, 6, {2, 1, 0.5, 0.5});
  result.samples = {test::image_sample(0.25, 2, 0.5, 3, {0.5, 0.5, 0.5, 0.5}),
                    test::image_sample(0.75, 2, 1.5, 5, {0.25, 0.75, 0.25, 0.75})};
  return result;
}

} // namespace

TEST_CASE("stage times are means over the timed runs") {
  RunRecord record = workload();
  fill_times(record, two_runs());
  CHECK(record.repeat == 2);
  CHECK(record.load_s == 8);
  CHECK(record.text_s == 0.5);
  CHECK(record.unet_s == 2);
  CHECK(record.vae_s == 1);
  CHECK(record.e2e_s == 4);
}

TEST_CASE("the spread of a stage is that of its runs") {
  RunRecord record = workload();
  CellResult result = two_runs();
  result.samples.push_back(test::image_sample(0.5, 8, 1, 10, {2, 2, 2, 2}));
  fill_times(record, result);
  CHECK(record.text_s_median == 0.5);
  CHECK(record.text_s_min == 0.25);
  CHECK(record.text_s_max == 0.75);
  CHECK(record.text_s_sd == 0.25);
  CHECK(record.unet_s_median == 2);
  CHECK(record.unet_s_max == 8);
  CHECK(record.vae_s_median == 1);
  CHECK(record.vae_s_min == 0.5);
  CHECK(record.e2e_s_median == 5);
  CHECK(record.e2e_s_min == 3);
  CHECK(record.e2e_s_max == 10);
  CHECK(*record.e2e_s_sd == Approx(3.605551275463989));
  CHECK(record.e2e_s_median_excl_first == 7.5); // of 5 and 10
}

TEST_CASE("one run has no spread, and no median without the first") {
  RunRecord record = workload();
  CellResult result = two_runs();
  result.samples.pop_back();
  fill_times(record, result);
  CHECK(record.e2e_s_median == 3);
  CHECK_FALSE(record.e2e_s_sd);
  CHECK_FALSE(record.e2e_s_median_excl_first);
}

TEST_CASE("one it is one scheduler step of the whole batch") {
  RunRecord record = workload();
  fill_times(record, two_runs());
  CHECK(record.unet_it_s == 2); // 8 steps in 4 s
  CHECK(record.s_per_it == 0.5);
  CHECK(record.e2e_it_s == 1);                             // 8 steps in 8 s
  CHECK(record.images_per_min == 30);                      // 4 images in 8 s
  CHECK(record.images_per_min_mean_of_runs == Approx(32)); // of 40 and 24
  CHECK(record.megapixels_per_s == 0.25);                  // 4 images of 0.5 MP in 8 s
  CHECK(record.achieved_tflops == 3);                      // 1.5 TFLOP at 2 it/s
}

TEST_CASE("the first image stands apart") {
  RunRecord record = workload();
  fill_times(record, two_runs());
  CHECK(record.first_image_s == 6);
  CHECK(record.first_image_it_s == 1); // 4 steps in 4 s
  REQUIRE(record.first_image);
  CHECK(record.samples.size() == 2);
}

TEST_CASE("step statistics cover all timed steps") {
  RunRecord record = workload();
  fill_times(record, two_runs());
  CHECK(record.step_s_mean == 0.5);
  // Squared deviations: 4 x 0.0625 over 7 degrees of freedom.
  CHECK(*record.step_s_sd == Approx(0.1889822365046136).epsilon(1e-15));
  CHECK(record.step_s_p50 == 0.5);
  CHECK(record.step_s_p90 == 0.75);
  CHECK(record.step_count == 8);
  CHECK(record.step_s_min == 0.25);
  CHECK(record.step_s_max == 0.75);
}

TEST_CASE("the 99th percentile needs a hundred steps") {
  CellResult result = two_runs();
  RunRecord record = workload();
  result.samples = {test::image_sample(0, 1, 0, 1, std::vector<double>(99, 1.0))};
  fill_times(record, result);
  CHECK_FALSE(record.step_s_p99);
  result.samples[0].step_s.push_back(1.0);
  fill_times(record, result);
  CHECK(record.step_s_p99 == 1.0);
}

TEST_CASE("an interrupted cell keeps what it measured and leaves the rest empty") {
  CellResult result = two_runs();
  result.samples.clear();
  RunRecord record = workload();
  fill_times(record, result);
  CHECK(record.load_s == 8);
  CHECK(record.first_image_s == 6);
  CHECK(record.repeat == 0);
  CHECK_FALSE(record.unet_it_s);
  CHECK_FALSE(record.e2e_s);
  CHECK_FALSE(record.step_s_mean);
  CHECK_FALSE(record.step_count);
  CHECK_FALSE(record.achieved_tflops);
}

TEST_CASE("a run without steps or time gives no rate and no infinity") {
  CellResult result;
  result.samples = {RunSample{}};
  RunRecord record = workload();
  fill_times(record, result);
  CHECK_FALSE(record.unet_it_s);
  CHECK_FALSE(record.s_per_it);
  CHECK_FALSE(record.images_per_min);
  CHECK_FALSE(record.first_image_s);
  CHECK_FALSE(record.load_s);
}

TEST_CASE("a single epoch is timed, and its rate is told to be cold") {
  RunRecord record = workload();
  record.task = "train";
  record.epochs = 1;
  CellResult result;
  RunSample epoch = test::image_sample(0, 0, 0, 4, {2, 2});
  epoch.parts = {{"forward", 4}};
  result.samples = {epoch};
  fill_times(record, result);
  CHECK(record.images_per_s == 0.5);
  CHECK(record.epoch_s_first == 4);
  CHECK(record.train_s == 4);
  CHECK_FALSE(record.epoch_s_median);
  CHECK_FALSE(record.first_image_s);
  CHECK(record.flags == "cold");
  record.epochs = 2;
  result.first_image = epoch;
  record.flags.clear();
  fill_times(record, result);
  CHECK(record.epoch_s_median == 4);
  CHECK(record.train_s == 8);
  CHECK(record.flags.empty());
}

TEST_CASE("the first run of a network has a rate of its iterations, whole or cut") {
  RunRecord record = workload();
  record.task = "infer";
  CellResult result;
  result.first_image = test::image_sample(0, 0, 0, 9, {2, 2, 4});
  result.first_image.parts = {{"forward", 8}};
  fill_times(record, result);
  CHECK(record.first_image_it_s == 3 / 8.0);
  result.first_image = {};
  result.partial_run = PartialRun{"first_image", {2, 2}};
  fill_times(record, result);
  CHECK(record.first_image_it_s == 0.5);
}

TEST_CASE("what a device waited for the others' gradients is a mean over runs, where they shared") {
  RunRecord record = workload();
  record.task = "train";
  CellResult result;
  for (const double seconds : {0.5, 0.25}) {
    RunSample& sample = result.samples.emplace_back();
    sample.e2e_s = 1;
    sample.step_s = {1};
    add_seconds(sample, kAllReducePart, seconds);
  }
  fill_times(record, result);
  CHECK(record.all_reduce_s == 0.375);
  RunRecord alone = workload();
  fill_times(alone, two_runs());
  CHECK_FALSE(alone.all_reduce_s);
}
