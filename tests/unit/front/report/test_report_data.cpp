#include "sdbench/front/report/report_data.h"

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/redact.h"

#include "catch.h"
#include "gpu_rows.h"
#include "sample_record.h"

using namespace sdbench;

namespace {

const nlohmann::ordered_json* column(const nlohmann::ordered_json& data, const std::string& name) {
  for (const auto& one : data["columns"]) {
    if (one["name"] == name) {
      return &one;
    }
  }
  return nullptr;
}

} // namespace

TEST_CASE("the page's data holds every field that some row has, and none that no row has") {
  Report report;
  report.results.table.add(test::gpu_row("one", 10, 5));
  report.results.table.add(test::failed_record());
  const auto data = report_data(report);
  CHECK(data["row_count"] == 2);
  REQUIRE(column(data, "unet_it_s") != nullptr);
  CHECK((*column(data, "unet_it_s"))["numbers"][0] == 5);
  CHECK((*column(data, "unet_it_s"))["numbers"][1].is_null());
  const auto& status = *column(data, "status");
  CHECK(status["texts"][status["index"][1].get<std::size_t>()] == "crash");
  CHECK(column(data, "quality_psnr") == nullptr);
  CHECK(column(data, "psnr_db") == nullptr);
  CHECK(column(data, "power_w_mean") == nullptr);
}

TEST_CASE("steps of many rows are thinned evenly, with the first and the last") {
  std::vector<double> steps;
  for (int i = 0; i < 1000; ++i) {
    steps.push_back(i);
  }
  const auto kept = evenly_thinned(steps, 11);
  CHECK(kept.size() == 11);
  CHECK(kept.front() == 0);
  CHECK(kept[5] == 499);
  CHECK(kept.back() == 999);
  CHECK(evenly_thinned(steps, 1000) == steps);
}

TEST_CASE("raw steps stand beside the row they belong to, and those of no row are left out") {
  Report report;
  RunRecord row = test::gpu_row("one", 10, 5);
  row.run_id = "known";
  report.results.table.add(row);
  report.results.raw["known"].samples = {{{}, 0, {0.1, 0.2}, 0}, {{}, 0, {0.3}, 0}};
  report.results.raw["other"].samples = {{{}, 0, {9}, 0}};
  const auto data = report_data(report);
  REQUIRE(data["steps"].size() == 1);
  CHECK(data["steps"][0]["row"] == 0);
  CHECK(data["steps"][0]["count"] == 3);
  CHECK(data["steps"][0]["step_s"].dump() == "[0.1,0.2,0.3]");
}

TEST_CASE("facts know the devices they are of, and unknown GPUs are told") {
  Report report;
  report.results.table.add(test::gpu_row("NVIDIA L4", 58, 5));
  report.facts = {.columns = {"hourly", "price"},
                  .cards = {{.gpu = "L4",
                             .currency = "USD",
                             .date = "2026-11-28",
                             .source = "a shop",
                             .numbers = {{"price", 2500}}},
                            {.gpu = "H100", .numbers = {{"hourly", 3}}}}};
  const auto facts = report_data(report)["facts"];
  CHECK(facts["columns"].dump() == R"(["hourly","price"])");
  CHECK(facts["cards"][0]["devices"].dump() == "[\"NVIDIA L4\"]");
  CHECK(facts["cards"][0]["numbers"][0].is_null());
  CHECK(facts["cards"][0]["numbers"][1] == 2500);
  CHECK(facts["cards"][0]["date"] == "2026-11-28");
  CHECK(unknown_gpus(report) == std::vector<std::string>{"H100"});
}

TEST_CASE("a shared page pools the rows as they were before their private fields were taken out") {
  Report report;
  RunRecord row = test::gpu_row("NVIDIA L4", 58, 5);
  ResultTable& table = report.results.table;
  for (const char* const folder : {"/home/ann/", "/home/bob/"}) {
    row.model = folder + std::string("tuned");
    row.weights = row.model + "/unet.safetensors";
    row.run_id = row.model;
    row.workload_id = row.model;
    table.add(row);
  }
  const auto of_private = report_data(report);
  report.shared = table.copy();
  Redactor(all_redactions()).redact(*report.shared);
  const auto data = report_data(report);
  CHECK(data["metrics"] == of_private["metrics"]);
  CHECK(data["metrics"]["unet_it_s"]["pool"].dump() == "[0,1]");
  CHECK(data["workload_of_row"].dump() == "[0,1]");
  CHECK((*column(data, "model"))["texts"].dump() == "[\"tuned\"]");
  CHECK_FALSE(data["is_private"]);
}

TEST_CASE("the page knows the fields that tell the engine's axes") {
  const auto data = report_data(Report{});
  CHECK(data["axes"].size() == engine_axes().size() - 2); // attention and engine have places
  for (const auto& name : data["axes"]) {
    INFO(name.get<std::string>());
    CHECK(find_field(name.get<std::string>()).has_value());
  }
}
