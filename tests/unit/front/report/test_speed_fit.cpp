#include "sdbench/base/record/run_record.h"
#include "sdbench/front/report/speed_fit.h"

#include "catch.h"
#include "gpu_rows.h"

using namespace sdbench;

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
  CHECK(peak_for_dtype(peaks.at("one"), "autocast-bf16") == peaks.at("one").fp16_flops);
  CHECK(peak_for_dtype(peaks.at("one"), "fp64") == 0);
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
  const auto fits = own_speed_fits(table, nominal_peaks(table));
  REQUIRE(fits.size() == 1); // the fp16 row is one GPU's: no line
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
  const auto fits = own_speed_fits(table, nominal_peaks(table));
  REQUIRE(fits.size() == 2);
  CHECK(fits[1].peak == "FP16 matrices");
  CHECK(fits[1].points[0].nominal_tflops == Approx(10.24));
}

TEST_CASE("repeated rows of one variant count by their mean time") {
  ResultTable table;
  RunRecord first = test::gpu_row("one", 10, 4);
  RunRecord second = test::gpu_row("one", 10, 6);
  table.add(first);
  table.add(second);
  table.add(test::gpu_row("two", 20, 10));
  const auto fits = own_speed_fits(table, nominal_peaks(table));
  REQUIRE(fits.size() == 1);
  CHECK(fits[0].points[0].per_s == Approx(4.8)); // 2 / (1/4 + 1/6)
}
