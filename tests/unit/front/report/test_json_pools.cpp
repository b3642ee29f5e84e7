#include <string>
#include <string_view>

#include "catch.h"
#include "gpu_rows.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/run_record.h"
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

TEST_CASE("the page has the energy of an image with the interval of its restarts") {
  Report report;
  ResultTable& table = report.results.table;
  RunRecord row = test::gpu_row("one", 10, 5);
  table.add(row); // tells no energy
  row.variant_id = "other";
  row.j_per_image = 99;
  row.run_id = "a";
  table.add(row);
  row.run_id = "b";
  row.j_per_image = 101;
  table.add(row);
  row.variant_id = "third";
  row.run_id = "c";
  table.add(row);
  const auto energy = report_data(report)["energy"];
  REQUIRE(energy["pool"].size() == 4);
  CHECK(energy["pool"][0].is_null());
  CHECK(energy["pool"][1] == energy["pool"][2]);
  const auto& repeated = energy["figures"][energy["pool"][1].get<std::size_t>()];
  CHECK(repeated[0] == 100);
  CHECK(repeated[1].get<double>() == Approx(100 - 12.706).margin(0.01)); // Student's t of two rows
  const auto& alone = energy["figures"][energy["pool"][3].get<std::size_t>()];
  CHECK(alone[0] == 101);
  CHECK(alone[1].is_null());
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

TEST_CASE("a page of networks begins with their rate, and says what its time is of") {
  Report report;
  RunRecord row = test::gpu_row("one", 10, 5);
  row.task = "infer";
  row.model = "vgg16";
  row.unet_it_s.reset();
  row.images_per_s = 20;
  row.images_per_min = 1200;
  report.results.table.add(row);
  auto metrics = report_data(report)["metrics"];
  CHECK(metrics.begin().key() == "images_per_s");
  CHECK(metrics["images_per_s"]["unit"] == "images/s");
  CHECK(metrics["images_per_s"]["pool"].dump() == "[0]");
  CHECK(metrics["images_per_min"]["meaning"] == "by the time of whole iterations");
  report.results.table.add(test::gpu_row("one", 10, 5));
  metrics = report_data(report)["metrics"];
  CHECK(metrics.begin().key() == "images_per_min"); // which both have
  CHECK(metrics["images_per_min"]["meaning"] ==
        "from prompt to pixels; of networks by the time of whole iterations");
  CHECK(metrics["unet_it_s"]["meaning"] == "the denoising loop alone");
}

TEST_CASE("every speed of a page is one of the record, and every task has its first figure there") {
  const auto metrics = report_data({})["metrics"];
  for (const TaskRow& task : task_table()) {
    CAPTURE(task.name);
    CHECK(metrics.contains(std::string(task.figures.front())));
    for (const std::string_view figure : task.figures) {
      CHECK(find_field(figure).has_value());
    }
  }
}

TEST_CASE("raw times tell the mean of each part of a run") {
  Report report;
  RunRecord row = test::gpu_row("one", 10, 5);
  report.results.table.add(row);
  RawTimes raw;
  for (const double seconds : {1.0, 3.0}) {
    raw.samples.push_back({.parts = {{"forward", seconds}}, .e2e_s = 4, .step_s = {seconds}});
  }
  report.results.raw.emplace(row.run_id, raw);
  const auto steps = report_data(report)["steps"];
  REQUIRE(steps.size() == 1);
  CHECK(steps[0]["parts"].dump() == R"({"forward":2})");
}
