#include "catch.h"
#include "gpu_rows.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/report/report_data.h"
#include "sdbench/front/results/result_table.h"

using namespace sdbench;

TEST_CASE("the page pools rows as compare does: whole runs of one setting, whatever their label") {
  Report report;
  ResultTable& table = report.results.table;
  RunRecord row = test::gpu_row("one", 10, 5);
  table.add(row);
  row.run_id = "again";
  row.label = "night";
  table.add(row);
  row.run_id = "cut";
  row.flags = "noisy partial";
  table.add(row);
  row.run_id = "other weights";
  row.flags = "";
  row.weights = "checkpoint";
  table.add(row);
  row.status = "crash";
  table.add(row);
  const auto data = report_data(report);
  CHECK(data["metrics"]["unet_it_s"]["run_times"].dump() == R"(["unet_s"])");
  CHECK(data["metrics"]["unet_it_s"]["pool"].dump() == "[0,0,null,1,null]");
  CHECK(data["metrics"]["images_per_min"]["pool"].dump() == "[null,null,null,null,null]");
  CHECK(data["metrics"]["first_image_it_s"]["run_times"].empty());
}

TEST_CASE("the page has the rows of quality beside those of speed") {
  Report report;
  RunRecord row = test::gpu_row("one", 10, 5);
  report.results.table.add(row);
  row.run_id = "study";
  row.images = 4;
  row.unet_it_s.reset();
  row.quality_reference = "fp32";
  report.results.table.add(row);
  CHECK(report_data(report)["quality"].dump() == "{\"0\":[1]}");
}
