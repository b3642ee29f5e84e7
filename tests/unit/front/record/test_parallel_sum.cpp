#include "sdbench/front/record/parallel_sum.h"

#include <cstdint>
#include <string>
#include <utility>

#include "catch.h"
#include "image_sample.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/run_record.h"
#include "team_cell.h"

using namespace sdbench;

namespace {

/// A run that began at `start_s` and took `e2e_s`.
RunSample run(double start_s, double e2e_s) {
  return test::image_sample(0.5, e2e_s - 1, 0.5, e2e_s, {e2e_s - 1}, start_s);
}

RunRecord row(const std::string& device, std::vector<RunSample> samples) {
  RunRecord record;
  record.status = "ok";
  record.device = device;
  record.device_kind = "cuda";
  record.device_name = "Fake GPU";
  record.device_arch = "Hopper";
  record.driver_version = "580.95";
  record.dtype_unet = "fp16";
  record.samples = std::move(samples);
  record.repeat = static_cast<std::int64_t>(record.samples.size());
  record.warmup = 1;
  record.parallel_role = kRoleDevice;
  return record;
}

RunRecord sum_of(const std::vector<RunRecord>& rows, std::optional<double> alone = {}) {
  RecordContext context;
  context.parallel_id = "execution";
  return sum_record(test::team_cell(8), rows, context, alone);
}

} // namespace

TEST_CASE("a run of the whole lasts from the first start to the last end") {
  const RunRecord sum = sum_of(
      {row("cuda:0", {run(100, 4), run(110, 6)}), row("cuda:1", {run(100.5, 5), run(110, 2)})});
  REQUIRE(sum.samples.size() == 2);
  CHECK(sum.samples[0].e2e_s == Approx(5.5)); // 100 to 105.5
  CHECK(sum.samples[0].start_s == 100);
  CHECK(sum.samples[1].e2e_s == 6);
  CHECK(sum.e2e_s.value() == Approx(5.75));
  CHECK(sum.e2e_s_max == 6);
  CHECK(sum.repeat == 2);
}

TEST_CASE("rates of the whole are of all images, its efficiency is by its devices, each alone") {
  const RunRecord sum = sum_of({row("cuda:0", {run(0, 4), run(9, 4), run(18, 4)}),
                                row("cuda:1", {run(0, 3), run(9, 3), run(18, 5)})},
                               150.0);
  CHECK(sum.alone_images_per_min == 150);
  CHECK(sum.images == 8);
  CHECK(sum.images_per_min.value() == Approx(60 * 24 / 13.0));
  CHECK(sum.scaling_efficiency.value() == Approx(60 * 24 / 13.0 / 150));
  CHECK(sum.ci95_covers == "within-run");
  CHECK(sum.ci95_count == 3);
  CHECK(sum.images_per_min_ci95_low < sum.images_per_min);
  CHECK(sum.images_per_min_ci95_high > sum.images_per_min);
  CHECK(sum.noise.has_value());
  // Belongs to one device, not to the whole.
  CHECK_FALSE(sum.unet_it_s.has_value());
  CHECK_FALSE(sum.unet_it_s_ci95_low.has_value());
  CHECK_FALSE(sum.e2e_it_s.has_value());
  CHECK_FALSE(sum.unet_s.has_value());
  CHECK_FALSE(sum.text_s.has_value());
  CHECK_FALSE(sum.achieved_tflops.has_value());
  CHECK_FALSE(sum.device_index.has_value());
}

TEST_CASE("without a row of each device alone there is no efficiency") {
  CHECK_FALSE(sum_of({row("cuda:0", {run(0, 4)}), row("cuda:1", {run(0, 4)})})
                  .scaling_efficiency.has_value());
}

TEST_CASE("a run that not all devices made counts for no sum") {
  const RunRecord sum = sum_of({row("cuda:0", {run(0, 4)}), row("cuda:1", {run(0, 4), run(9, 1)})});
  CHECK(sum.repeat == 1);
  CHECK(sum.images_per_min.value() == Approx(120));
  const RunRecord none = sum_of({row("cuda:0", {}), row("cuda:1", {run(0, 4)})});
  CHECK(none.status == "ok");
  CHECK(has_flag(none, "partial"));
  CHECK_FALSE(none.images_per_min.has_value());
}

TEST_CASE("a device that failed makes the sum an error that names it, without rates") {
  RunRecord failed = row("cuda:1", {run(0, 4)});
  failed.status = "crash";
  failed.error = "measure: the worker was ended by SIGKILL";
  const RunRecord sum = sum_of({row("cuda:0", {run(0, 4)}), failed}, 10.0);
  CHECK(sum.status == "error");
  CHECK(sum.error == "1 of 2 devices failed: cuda:1 (crash: measure: the worker was ended by "
                     "SIGKILL)");
  CHECK_FALSE(sum.images_per_min.has_value());
  CHECK_FALSE(sum.scaling_efficiency.has_value());
  CHECK(sum.samples.empty());
}

TEST_CASE("an interruption of any device is one of the whole") {
  RunRecord cut = row("cuda:0", {});
  cut.status = "interrupted";
  RunRecord failed = row("cuda:1", {});
  failed.status = "crash";
  CHECK(sum_of({cut, failed}).status == "interrupted");
  CHECK(sum_of({failed, cut}).status == "interrupted");
}

TEST_CASE("the sum says who it is") {
  const RunRecord sum = sum_of({row("cuda:0", {run(0, 4)}), row("cuda:1", {run(0, 4)})});
  CHECK(sum.parallel_id == "execution");
  CHECK(sum.parallel_role == kRoleSum);
  CHECK(sum.parallel_devices == 2);
  CHECK(sum.share == "prompts");
  CHECK(sum.device == "cuda:0+cuda:1");
  CHECK(sum.device_name == "2 x Fake GPU");
  CHECK(sum.device_kind == "cuda");
  CHECK(sum.dtype_unet == "fp16");
  RunRecord other = row("cuda:1", {run(0, 4)});
  other.device_name = "Old GPU";
  other.dtype_unet = "fp32";
  const RunRecord mixed = sum_of({row("cuda:0", {run(0, 4)}), other});
  CHECK(mixed.device_name == "Fake GPU + Old GPU");
  CHECK(mixed.dtype_unet == "fp16+fp32");
}

TEST_CASE(
    "the energy of GPUs is added where all tell it, and is of an image if it is sure enough") {
  const auto with_energy = [](const std::string& device, std::optional<double> joules) {
    RunRecord record = row(device, {run(0, 4), run(9, 4)});
    record.energy_j = 1; // of its own runs, without its waiting
    record.parallel_energy_j = joules;
    record.energy_source = "counter";
    record.telemetry_samples = 10;
    return record;
  };
  const RunRecord sum = sum_of({with_energy("cuda:0", 100), with_energy("cuda:1", 60)});
  CHECK(sum.energy_j == 160);
  CHECK(sum.energy_source == "counter");
  CHECK(sum.j_per_image == 10); // of 2 runs of 8 images
  CHECK_FALSE(sum_of({with_energy("cuda:0", 100), with_energy("cuda:1", {})}).energy_j.has_value());
  RunRecord few = with_energy("cuda:1", 60);
  few.telemetry_samples = 9;
  CHECK(sum_of({with_energy("cuda:0", 100), few}).j_per_image == 10); // counters need no samples
  few.energy_source = "integrated";
  CHECK_FALSE(sum_of({with_energy("cuda:0", 100), few}).j_per_image.has_value());
  RunRecord brief = with_energy("cuda:0", 100);
  brief.samples = {run(0, 0.4), run(1, 0.4)};
  CHECK_FALSE(sum_of({brief}).j_per_image.has_value());
}

TEST_CASE("shares of a processor have one energy between them") {
  const auto on_cpu = [](const std::string& device, double host_energy_j) {
    RunRecord record = row(device, {run(0, 4)});
    record.device_kind = "cpu";
    record.host_energy_j = host_energy_j;
    return record;
  };
  CHECK(sum_of({on_cpu("cpu:0", 50), on_cpu("cpu:1", 52)}).energy_j == 52);
}

TEST_CASE("what a sensor saw of any device is said of the sum, its own noise is not the devices'") {
  RunRecord hot = row("cuda:1", {run(0, 4)});
  hot.flags = "noisy throttled";
  hot.throttle_reasons = "hw_slowdown";
  RunRecord cool = row("cuda:0", {run(0, 4)});
  cool.throttle_reasons = "none";
  const RunRecord sum = sum_of({cool, hot});
  CHECK(sum.flags == "throttled");
  CHECK(sum.throttle_reasons == "hw_slowdown");
  CHECK(sum_of({cool, cool}).throttle_reasons == "none");
}

TEST_CASE("the sum's environment is known before it runs, for --resume") {
  DeviceInfo gpu;
  gpu.kind = DeviceKind::kCuda;
  gpu.name = "Fake GPU";
  gpu.arch = "Hopper";
  gpu.driver_version = "580.95";
  const RunRecord sum = sum_of({row("cuda:0", {run(0, 4)}), row("cuda:1", {run(0, 4)})});
  CHECK(env_id_of(device_of(test::team_cell(8), {gpu, gpu}), {}) == sum.env_id);
  CHECK(cell_id_of(test::team_cell(8), {}) == sum.cell_id);
  CHECK(device_of(test::team_cell(8), {gpu}).name.empty());
}

TEST_CASE("an interrupted sum keeps the runs that all devices had made") {
  RunRecord cut = row("cuda:0", {run(0, 4), run(9, 4)});
  cut.status = "interrupted";
  cut.stop_reason = "interrupted";
  RunRecord other = row("cuda:1", {run(0, 3)});
  other.status = "interrupted";
  other.stop_reason = "interrupted";
  const RunRecord sum = sum_of({cut, other}, 100.0);
  CHECK(sum.status == "interrupted");
  CHECK(sum.stop_reason == "interrupted");
  CHECK(sum.repeat == 1);
  CHECK(sum.images_per_min.value() == Approx(120)); // 8 images in 4 s
  RunRecord none = other;
  none.samples.clear();
  CHECK(sum_of({cut, none}).flags.empty());
}

TEST_CASE("a failed sum has no reason of its own to stop") {
  RunRecord good = row("cuda:0", {run(0, 4)});
  good.stop_reason = "repeat";
  RunRecord failed = row("cuda:1", {});
  failed.status = "crash";
  CHECK(sum_of({good, failed}).stop_reason.empty());
  CHECK(sum_of({good, good}).stop_reason == "repeat");
}

TEST_CASE("rows with runs that were made without all partners are flagged") {
  const auto flags = [](RunRecord first, RunRecord second) {
    std::vector<RunRecord> rows{std::move(first), std::move(second)};
    flag_lost_partners(rows);
    return rows[0].flags + "," + rows[1].flags;
  };
  const RunRecord two = row("cuda:0", {run(0, 4), run(9, 4)});
  const RunRecord one = row("cuda:1", {run(0, 4)}); // ended early, by --max-time
  RunRecord failed = row("cuda:1", {run(0, 4), run(9, 4)});
  failed.status = "invalid_output";
  CHECK(flags(two, two) == ",");
  CHECK(flags(two, one) == "partner_lost,");
  CHECK(flags(two, failed) == "partner_lost,");
  CHECK(flags(one, failed) == "partner_lost,");
}

TEST_CASE("the kinds that were asked for are known of a sum whose devices never spoke") {
  RunRecord silent = row("cuda:0", {});
  silent.status = "crash";
  silent.device_name.clear();
  silent.device_kind.clear();
  CHECK(sum_of({silent, silent}).device_kind == "cuda");
  Cell mixed = test::team_cell(8);
  mixed.parallel_devices = {"cpu:0", "cpu:1", "cuda:0"};
  mixed.device = "cpu:0+cpu:1+cuda:0";
  CHECK(build_record(mixed, {}, {}).device_kind == "cpu+cuda");
}

TEST_CASE("the processor's energy beside a GPU's is named among the sources") {
  RunRecord gpu = row("cuda:0", {run(0, 4)});
  gpu.parallel_energy_j = 100;
  gpu.energy_source = "integrated";
  RunRecord share = row("cpu:0", {run(0, 4)});
  share.device_kind = "cpu";
  share.host_energy_j = 50;
  const RunRecord sum = sum_of({gpu, share});
  CHECK(sum.energy_j == 150);
  CHECK(sum.energy_source == "integrated+counter");
}

namespace {

RunRecord sum_of_training(const std::vector<RunRecord>& rows, std::int64_t epochs = 0,
                          std::optional<double> alone_images_per_min = {}) {
  Cell whole = test::team_cell(8);
  whole.model = find_model_config("tiny-resnet");
  whole.task = Task::kTrain;
  whole.share = kShareBatch;
  whole.epochs = epochs;
  return sum_record(whole, rows, {}, alone_images_per_min);
}

RunRecord trained_row(const std::string& device, std::vector<RunSample> samples, double accuracy) {
  RunRecord record = row(device, std::move(samples));
  record.share = kShareBatch;
  record.loss_first = 2.5;
  record.loss_last = 0.5;
  record.accuracy = accuracy;
  return record;
}

} // namespace

TEST_CASE(
    "the sum of devices that train one network has its losses, and the first one's accuracy") {
  RunRecord first = trained_row("cuda:0", {run(0, 4)}, 0.75);
  RunRecord second = trained_row("cuda:1", {run(0, 4)}, 0.7);
  first.data_identity = second.data_identity = "synthetic:40";
  first.test_s = 2;
  second.test_s = 3;
  const RunRecord sum = sum_of_training({first, second});
  CHECK(sum.data_identity == "synthetic:40");
  CHECK(sum.test_s == 3);
  CHECK(sum.loss_first == 2.5);
  CHECK(sum.loss_last == 0.5);
  CHECK(sum.accuracy == 0.75);
  CHECK(sum.images_per_s.value() == Approx(2)); // 8 in 4 s
  CHECK_FALSE(sum.epoch_s_first.has_value());
}

TEST_CASE("the epochs of the whole last from the first start to the last end, too") {
  RunRecord first = trained_row("cuda:0", {run(10, 4), run(20, 6)}, 0.75);
  RunRecord second = trained_row("cuda:1", {run(10, 5), run(20, 4)}, 0.7);
  first.first_image = run(0, 7);
  second.first_image = run(1, 8);
  const RunRecord sum = sum_of_training({first, second}, 3);
  CHECK(sum.epoch_s_first == 9);
  CHECK(sum.epoch_s_median == 5.5);
  CHECK(sum.train_s == 9 + 5 + 6);
}

TEST_CASE("a single epoch of the whole is timed: it has a rate, by which it scales") {
  RunRecord first = trained_row("cuda:0", {run(0, 7)}, 0.75);
  RunRecord second = trained_row("cuda:1", {run(1, 7)}, 0.7);
  first.flags = second.flags = "cold";
  const RunRecord sum = sum_of_training({first, second}, 1, 40);
  CHECK(sum.epoch_s_first == 8);
  CHECK_FALSE(sum.epoch_s_median.has_value());
  CHECK(sum.train_s == 8);
  CHECK(sum.images_per_s == 1); // 8 in 8 s
  CHECK(sum.scaling_efficiency == 1.5);
  CHECK(sum.flags == "cold");
}
