#include "sdbench/front/report/roofline.h"

#include "catch.h"
#include "gpu_rows.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/front/record/run_record.h"

using namespace sdbench;

TEST_CASE("the bytes of an it are the weights once and what the batch moves, in the UNet's dtype") {
  ResultTable table;
  RunRecord row = test::gpu_row("one", 10, 5);
  table.add(row);
  row.dtype_unet = "fp16";
  row.batch = 4;
  table.add(row);
  const UNetConfig unet = unet_of(find_model_config("sd15"));
  const double weights = 859'520'964;
  const double moved = denoiser_moved_elements(unet, 64, 64, 77, 1);
  CHECK(bytes_of_row(table, 0) == Approx(4 * (weights + 2 * moved)));
  CHECK(bytes_of_row(table, 1) == Approx(2 * (weights + 8 * moved)));
}

TEST_CASE("points carry intensity and peak, and rows that cannot be told are counted") {
  ResultTable table;
  table.add(test::gpu_row("one", 10, 5));
  RunRecord unknown = test::gpu_row("one", 10, 5);
  unknown.model = "/etc/passwd";
  table.add(unknown);
  RunRecord autocast = test::gpu_row("one", 10, 5);
  autocast.dtype_unet = "autocast-fp16";
  table.add(autocast);
  RunRecord absurd = test::gpu_row("one", 10, 5);
  absurd.width = 9223372036854775807;
  table.add(absurd);
  RunRecord failed = test::gpu_row("one", 10, 5);
  failed.status = "crash";
  table.add(failed);
  const Roofline result = roofline(table, nominal_peaks(table));
  REQUIRE(result.points.size() == 1);
  CHECK(result.left_out == 3);
  CHECK(result.points[0].row == 0);
  CHECK(result.points[0].flop_per_byte == Approx(1.607e12 / *bytes_of_row(table, 0)));
  CHECK(result.points[0].peak_tflops == Approx(2.56));
}

TEST_CASE("a network stands under the roof by its forward pass, in training, too") {
  ResultTable table;
  RunRecord row = test::gpu_row("one", 10, 5);
  row.task = "infer";
  row.model = "vgg16";
  row.width = row.height = 224;
  row.batch = 16;
  row.unet_it_s.reset();
  row.unet_tflop.reset();
  row.achieved_tflops = 2;
  table.add(row);
  row.task = "train";
  row.tf32_used = "on";
  table.add(row);
  row.width = 64; // not a size of vgg16
  table.add(row);
  const NetworkConfig network = find_model_config("vgg16").network.value();
  const Roofline result = roofline(table, nominal_peaks(table));
  REQUIRE(result.points.size() == 2);
  CHECK(result.left_out == 1);
  CHECK(bytes_of_row(table, 0) ==
        Approx(4 * (network_parameters(network) + 16 * network_results(network).all)));
  CHECK(result.points[0].flop_per_byte ==
        Approx(2 * 16 * network_macs(network) / *bytes_of_row(table, 0)));
  CHECK(result.points[1].flop_per_byte == result.points[0].flop_per_byte);
  CHECK(result.points[0].peak_tflops == Approx(2.56));
  CHECK(result.points[1].precision == "tf32");
  CHECK(result.points[1].peak_tflops == Approx(5.12));
}
