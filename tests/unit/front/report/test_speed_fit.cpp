#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "gpu_rows.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/report/speed_fit.h"
#include "sdbench/front/results/redact.h"

using namespace sdbench;

namespace {

std::vector<SpeedFit> own_fits(const ResultTable& table) {
  return beside_each_other(own_speed_fits(table, table, nominal_peaks(table), {}), {});
}

RunRecord network_row(const std::string& name, std::int64_t sm_count, double step_s) {
  RunRecord row = test::gpu_row(name, sm_count, 1);
  row.task = "train";
  row.model = "vgg16";
  row.width = row.height = 224;
  row.steps = 1;
  row.batch = 16;
  row.images = 320;
  row.weight_update = "off";
  row.loss = "logit-sum";
  row.unet_it_s.reset();
  row.step_s_mean = step_s;
  return row;
}

SpeedFit published_fit() {
  return {.group = "vgg16, training",
          .peak = "FP32",
          .unit = "batches/s",
          .published = true,
          .work = network_work("vgg16", "train", "224", "224", "16", "logit-sum"),
          .points = {{"V100 fp32", 15.67, 12}, {"Titan V fp32", 14.9, 9}},
          .fit = LineFit{}};
}

} // namespace

TEST_CASE("nominal peaks come of compute capability, SMs and the highest clock that was seen") {
  ResultTable table;
  RunRecord row = test::gpu_row("one", 10, 5);
  row.sm_clock_hz_max = 0.5e9;
  table.add(row);
  table.add(test::gpu_row("one", 10, 5));
  const auto peaks = nominal_peaks(table);
  REQUIRE(peaks.contains("one"));
  CHECK(peaks.at("one").fp32_flops == 2.0 * 128 * 10 * 1e9);
  CHECK(peaks.at("one").fp16_flops == 1024.0 * 10 * 1e9);
  CHECK(peak_for_precision(peaks.at("one"), "autocast-bf16") == peaks.at("one").fp16_flops);
  CHECK(peak_for_precision(peaks.at("one"), "fp64") == 0);
}

TEST_CASE("a GeForce card's nominal peak doubles with fp16 accumulation, another card's does not") {
  ResultTable table;
  const std::string geforce = "NVIDIA GeForce RTX 4090";
  for (const std::string& name : {geforce, std::string("NVIDIA L40S")}) {
    RunRecord row = test::gpu_row(name, 10, 5);
    row.dtype_unet = "fp16";
    table.add(row);
  }
  RunRecord row = test::gpu_row(geforce, 10, 5);
  row.dtype_unet = "fp16";
  row.fp16_accumulation = "on";
  table.add(row);
  const auto peaks = nominal_peaks(table);
  const auto peak_of = [&](const char* name, std::size_t index) {
    return peak_for_precision(peaks.at(name), precision_of_row(table, index));
  };
  CHECK(precision_of_row(table, 2) == "fp16, fp16 accumulation");
  CHECK(peak_of("NVIDIA GeForce RTX 4090", 2) == 2 * peak_of("NVIDIA GeForce RTX 4090", 0));
  CHECK(peaks.at("NVIDIA L40S").fp16_sums_flops == peaks.at("NVIDIA L40S").fp16_flops);
}

TEST_CASE("a GPU that is split, or whose row cannot be believed, has no nominal peak") {
  RunRecord split = test::gpu_row("split", 10, 5);
  split.mig = "on";
  RunRecord huge = test::gpu_row("huge", 9223372036854775807, 5);
  RunRecord odd = test::gpu_row("odd", 10, 5);
  odd.compute_capability = "8.6x<script>";
  RunRecord blind = test::gpu_row("blind", 10, 5);
  blind.sm_clock_hz_max.reset();
  ResultTable table;
  for (const RunRecord& row : {split, huge, odd, blind}) {
    table.add(row);
  }
  CHECK(nominal_peaks(table).empty());
}

TEST_CASE("own rows are fitted by workload and dtype, each GPU at its fastest variant") {
  ResultTable table;
  table.add(test::gpu_row("one", 10, 5));
  RunRecord slow = test::gpu_row("one", 10, 2);
  slow.variant_id = "slow";
  table.add(slow);
  table.add(test::gpu_row("two", 20, 10));
  RunRecord alone = test::gpu_row("two", 20, 30);
  alone.dtype_unet = "fp16";
  table.add(alone);
  RunRecord failed = test::gpu_row("two", 20, 99);
  failed.status = "error";
  table.add(failed);
  const auto fits = own_fits(table);
  REQUIRE(fits.size() == 1); // no line for fp16, which has only one GPU
  CHECK(fits[0].peak == "FP32");
  REQUIRE(fits[0].points.size() == 2);
  CHECK(fits[0].points[0].per_s == Approx(5));
  REQUIRE(fits[0].fit);
  CHECK(fits[0].fit->r_squared == Approx(1));
  CHECK(fits[0].fit->slope == Approx(5 / 2.56));
}

TEST_CASE("rows of 16 bits are fitted against both nominal rates") {
  ResultTable table;
  for (RunRecord row : {test::gpu_row("one", 10, 5), test::gpu_row("two", 20, 9)}) {
    row.dtype_unet = "fp16";
    table.add(row);
  }
  const auto fits = own_fits(table);
  REQUIRE(fits.size() == 2);
  CHECK(fits[1].peak == "FP16 matrices");
  CHECK(fits[1].points[0].x == Approx(10.24));
}

TEST_CASE("repeated rows of one variant count by their mean time") {
  ResultTable table;
  RunRecord first = test::gpu_row("one", 10, 4);
  RunRecord second = test::gpu_row("one", 10, 6);
  table.add(first);
  table.add(second);
  table.add(test::gpu_row("two", 20, 10));
  const auto fits = own_fits(table);
  REQUIRE(fits.size() == 1);
  CHECK(fits[0].points[0].per_s == Approx(4.8)); // 2 / (1/4 + 1/6)
}

TEST_CASE("a card under two power limits counts under the one with which it is faster") {
  ResultTable table;
  RunRecord limited = test::gpu_row("one", 10, 4);
  limited.power_limit_w = 200;
  RunRecord free = test::gpu_row("one", 10, 6);
  free.power_limit_w = 300;
  table.add(limited);
  table.add(free);
  table.add(test::gpu_row("two", 20, 10));
  const auto fits = own_fits(table);
  REQUIRE(fits.size() == 1);
  CHECK(fits[0].points[0].per_s == Approx(6));
}

TEST_CASE(
    "a network's rows are fitted by the time of an iteration, and published points of the same "
    "work stand beside them") {
  ResultTable table;
  table.add(network_row("one", 10, 0.25));
  table.add(network_row("two", 20, 0.125));
  RunRecord with_update = network_row("one", 10, 0.5);
  with_update.weight_update = "on";
  table.add(with_update);
  with_update = network_row("two", 20, 0.25);
  with_update.weight_update = "on";
  table.add(with_update);
  const auto fits =
      beside_each_other(own_speed_fits(table, table, nominal_peaks(table), {}), {published_fit()});
  REQUIRE(fits.size() == 3);
  CHECK(fits[0].group == "vgg16 train 224x224, batch 16, loss logit-sum, fp32");
  CHECK(fits[0].unit == "batches/s");
  CHECK(fits[0].points[0].per_s == Approx(4));
  CHECK(fits[0].beside.size() == 2);
  CHECK(fits[0].fit->count == 2); // without published points
  CHECK(fits[1].group == "vgg16 train 224x224, batch 16, loss logit-sum, with update, fp32");
  CHECK(fits[1].beside.empty()); // different work
  REQUIRE(fits[2].beside.size() == 2);
  CHECK(fits[2].beside[0].name == "one fp32");
}

TEST_CASE("a network's rows of another loss stand beside no published point") {
  ResultTable table;
  RunRecord row = network_row("one", 10, 0.25);
  row.loss.clear(); // cross entropy
  table.add(row);
  const auto fits =
      beside_each_other(own_speed_fits(table, table, nominal_peaks(table), {}), {published_fit()});
  REQUIRE(fits.size() == 1);
  CHECK(fits[0].beside.empty());
}

TEST_CASE("models of one name in two folders have lines of their own, also in shared names") {
  ResultTable table;
  for (const char* const folder : {"/home/ann/", "/home/bob/"}) {
    for (RunRecord row : {test::gpu_row("one", 10, 5), test::gpu_row("two", 20, 9)}) {
      row.model = folder + std::string("sd15");
      row.unet_it_s = *row.unet_it_s * (row.model.starts_with("/home/bob") ? 2 : 1);
      table.add(row);
    }
  }
  ResultTable shown = table.copy();
  Redactor(all_redactions()).redact(shown);
  const auto fits =
      beside_each_other(own_speed_fits(table, shown, nominal_peaks(table), {}), {published_fit()});
  REQUIRE(fits.size() == 3);
  CHECK(fits[0].points[0].per_s == Approx(5));
  CHECK(fits[1].points[0].per_s == Approx(10));
  CHECK(fits[0].group.starts_with("sd15 512x512"));
  CHECK(fits[1].group == fits[0].group);
  CHECK(fits[2].group == published_fit().group);
}

TEST_CASE("a single GPU gives no line, and stands beside the published one") {
  ResultTable table;
  RunRecord row = network_row("one", 10, 0.25);
  row.dtype_unet = "fp16";
  table.add(row);
  const auto fits =
      beside_each_other(own_speed_fits(table, table, nominal_peaks(table), {}), {published_fit()});
  REQUIRE(fits.size() == 1);
  REQUIRE(fits[0].beside.size() == 1);
  CHECK(fits[0].beside[0].name == "one fp16");
  CHECK(fits[0].beside[0].x == Approx(2.56));
}

TEST_CASE("epochs have a line of their own, and stand beside no published iteration") {
  ResultTable table;
  for (RunRecord row : {network_row("one", 10, 0.25), network_row("two", 20, 0.125)}) {
    table.add(row);
    row.epochs = 2;
    row.step_s_mean = *row.step_s_mean / 2; // would be the faster variant
    row.variant_id = "epochs";
    table.add(row);
    row.epochs = 1; // cold, so it does not count in a mean
    row.step_s_mean = *row.step_s_mean * 4;
    table.add(row);
  }
  const auto fits =
      beside_each_other(own_speed_fits(table, table, nominal_peaks(table), {}), {published_fit()});
  REQUIRE(fits.size() == 3);
  CHECK(fits[0].points[0].per_s == Approx(4));
  CHECK(fits[1].group == "vgg16 train 224x224, batch 16, loss logit-sum, in epochs, fp32");
  CHECK(fits[1].points[0].per_s == Approx(8));
  CHECK(fits[1].beside.empty());
  CHECK(fits[2].beside.size() == 2);
}

TEST_CASE("rows in TF32 have lines of their own, against both nominal rates") {
  ResultTable table;
  for (RunRecord row : {test::gpu_row("one", 10, 5), test::gpu_row("two", 20, 9)}) {
    table.add(row);
    row.tf32 = row.tf32_used = "on";
    row.variant_id = "tf32";
    row.unet_it_s = 2 * *row.unet_it_s;
    table.add(row);
  }
  const auto fits = own_fits(table);
  REQUIRE(fits.size() == 3);
  CHECK(fits[0].group.ends_with(", fp32"));
  CHECK(fits[0].points[0].per_s == Approx(5));
  CHECK(fits[1].group.ends_with(", tf32"));
  CHECK(fits[1].peak == "FP32");
  CHECK(fits[1].points[0].per_s == Approx(10));
  CHECK(fits[2].peak == "TF32 matrices");
  CHECK(fits[2].points[0].x == Approx(5.12)); // half of fp16's
}

TEST_CASE("a row's precision is what its products were computed in") {
  RunRecord row = test::gpu_row("one", 10, 5);
  const auto precision = [&] {
    ResultTable table;
    return precision_of_row(table, table.add(row));
  };
  row.tf32 = "on"; // asked for on a GPU without TF32, or of an engine that does not tell
  CHECK(precision() == "tf32");
  row.tf32_used = "off";
  CHECK(precision() == "fp32");
  row.tf32_used = "conv";
  CHECK(precision() == "fp32, tf32 convolutions");
  row.dtype_unet = "fp16"; // a different stage was in fp32
  CHECK(precision() == "fp16");
}

TEST_CASE("own rows are fitted against each fact of their devices, without a nominal peak, too") {
  ResultTable table;
  RunRecord blind = test::gpu_row("NVIDIA one", 10, 5);
  blind.sm_clock_hz_max.reset();
  table.add(blind);
  table.add(test::gpu_row("NVIDIA two", 20, 9));
  table.add(test::gpu_row("NVIDIA three", 30, 20));
  const Facts facts{
      .columns = {"memory_gb_s", "msrp_tflops"},
      .cards = {{.gpu = "One", .numbers = {{"memory_gb_s", 100}}},
                {.gpu = "two", .numbers = {{"memory_gb_s", 200}, {"msrp_tflops", 40}}}}};
  const auto fits =
      beside_each_other(own_speed_fits(table, table, nominal_peaks(table), facts), {});
  REQUIRE(fits.size() == 2); // no line for msrp_tflops, which is known for only one card
  CHECK(fits[0].fact.empty());
  CHECK(fits[0].points.size() == 2);
  CHECK(fits[1].fact == "memory_gb_s");
  CHECK(fits[1].peak.empty());
  REQUIRE(fits[1].points.size() == 2);
  REQUIRE(fits[1].fit);
  CHECK(fits[1].fit->slope == Approx((100 * 5 + 200 * 9) / (100. * 100 + 200 * 200)));
  CHECK(fits[1].fit->r_squared == Approx(1 - (0.4 * 0.4 + 0.2 * 0.2) / (25 + 81)));
}

TEST_CASE("published points of another fact or rate stand beside no own ones") {
  ResultTable table;
  table.add(network_row("one", 10, 0.25));
  table.add(network_row("two", 20, 0.125));
  SpeedFit published = published_fit();
  published.peak.clear();
  published.fact = "memory_gb_s";
  const auto fits =
      beside_each_other(own_speed_fits(table, table, nominal_peaks(table), {}), {published});
  REQUIRE(fits.size() == 2);
  CHECK(fits[0].beside.empty());
  CHECK(fits[1].beside.empty());
}
