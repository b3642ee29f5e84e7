#include "sdbench/front/report/roofline.h"

#include "catch.h"
#include "gpu_rows.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/record/run_record.h"

using namespace sdbench;

TEST_CASE("the bytes of an it are the weights once and what the batch moves, in the UNet's dtype") {
  ResultTable table;
  RunRecord row = test::gpu_row("one", 10, 5);
  table.add(row);
  row.dtype_unet = "fp16";
  row.batch = 4;
  table.add(row);
  const UNetConfig unet = find_model_config("sd15").unet;
  const double weights = 859'520'964;
  const double moved = unet_moved_elements(unet, 64, 64, 77, 1);
  CHECK(unet_bytes_of_row(table, 0) == Approx(4 * (weights + 2 * moved)));
  CHECK(unet_bytes_of_row(table, 1) == Approx(2 * (weights + 8 * moved)));
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
  CHECK(result.points[0].flop_per_byte == Approx(1.607e12 / *unet_bytes_of_row(table, 0)));
  CHECK(result.points[0].peak_tflops == Approx(2.56));
}
