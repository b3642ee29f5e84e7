#include "sdbench/base/numbers/units.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("clocks are in MHz") {
  CHECK(clock_text(1.98e9) == "1980 MHz");
  CHECK(clock_text(2.106e8) == "210.6 MHz");
}

TEST_CASE("times take the unit that suits them") {
  CHECK(time_text(0.0000123) == "12.3 us");
  CHECK(time_text(0.0123) == "12.3 ms");
  CHECK(time_text(4.5678) == "4.57 s");
  CHECK(time_text(125) == "2 min 05 s");
  CHECK(time_text(7260) == "2 h 01 min");
}

TEST_CASE("memory is given in MiB or GiB") {
  CHECK(bytes_text(812 << 20) == "812 MiB");
  CHECK(bytes_text(97 << 10) == "97.0 KiB");
  CHECK(bytes_text(66) == "66 bytes");
  CHECK(bytes_text(0) == "0.00 MiB");
  CHECK(bytes_text((std::int64_t{4} << 30) + (std::int64_t{256} << 20)) == "4.25 GiB");
}

TEST_CASE("arithmetic is given in GFLOP/s or TFLOP/s") {
  CHECK(flops_text(0.000968) == "0.968 GFLOP/s");
  CHECK(flops_text(40.23) == "40.2 TFLOP/s");
  CHECK(flop_text(0.000185, 0.0000923) == "0.185 GFLOP"); // beside 0.0923 GFLOP/s
  CHECK(flop_text(0.05, 0.803) == "0.0500 TFLOP");
}

TEST_CASE("a run of one batch is said shortly") {
  CHECK(batches_text(4, 4) == "batch 4");
  CHECK(batches_text(8, 4) == "8 images in batches of 4");
}

TEST_CASE("a part of a batch is a batch of its own") {
  CHECK(batch_count(8, 4) == 2);
  CHECK(batch_count(50'000, 128) == 391);
  CHECK(batch_count(1, 128) == 1);
  CHECK(batch_count(0, 128) == 0);
}

TEST_CASE("below one step a second the rate turns into seconds a step") {
  CHECK(step_rate_text(24.31) == "24.3 it/s");
  CHECK(step_rate_text(1) == "1.00 it/s");
  CHECK(step_rate_text(0.25) == "4.00 s/it");
  CHECK(step_rate_range_text(25, 24.809, 25.191) == "24.81 to 25.19 it/s");
  CHECK(step_rate_range_text(0.245, 0.24, 0.25) == "4.000 to 4.167 s/it");
  CHECK(step_rate_range_text(1.26, 0.653, 17) == "0.6530 to 17.00 it/s"); // the figure's own unit
}
