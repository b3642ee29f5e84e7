// Nothing between the work and its record may depend on the work being images.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "catch.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/record/run_record.h"
#include "training_work.h"

using namespace sdbench;
using Words = std::vector<std::string>;

namespace {

CellOutcome trained(const Cell& cell) {
  ExecutorObserver silent;
  return test::train(cell, silent);
}

RunRecord record_from(const Cell& cell, const CellOutcome& outcome) {
  return build_record(cell, outcome, RecordContext{});
}

CellOutcome through_protocol(const CellOutcome& outcome) {
  const std::string line = messages::encode(messages::OutcomeEvent{outcome});
  return std::get<messages::OutcomeEvent>(messages::decode_event(line)).outcome;
}

Words names_of_parts(const RunSample& sample) {
  Words names;
  for (const PartTime& part : sample.parts) {
    names.push_back(part.name);
  }
  return names;
}

} // namespace

TEST_CASE("work of any parts is timed: the first run, the warm-up and the timed runs") {
  struct Ears final : ExecutorObserver {
    void on_event(const CellEvent& event) override {
      if (const auto* const one = std::get_if<StepEvent>(&event)) {
        is_right = is_right && one->step < one->steps && one->steps == 2 && one->seconds == 3.75;
      }
    }
    bool is_right = true;
  } ears;
  const CellOutcome outcome = test::train(test::training_cell(), ears);
  const CellResult& result = *outcome.result;
  CHECK(ears.is_right);
  CHECK(result.load_s == 8);
  CHECK(result.warmup == 1);
  CHECK(result.stop_reason == "repeat");
  REQUIRE(result.samples.size() == 2);
  for (const RunSample& sample : {result.first_image, result.samples[0], result.samples[1]}) {
    CHECK(names_of_parts(sample) == Words{"input", "forward", "backward", "optimizer"});
    CHECK(seconds_of(sample, "input") == 0.5);
    CHECK(seconds_of(sample, "forward") == 2);
    CHECK(seconds_of(sample, "backward") == 4);
    CHECK(seconds_of(sample, "optimizer") == 1);
    CHECK(sample.step_s == std::vector<double>{3.75, 3.75});
    CHECK(sample.e2e_s == 7.5);
  }
}

TEST_CASE("the messages carry the parts of any work, in their order") {
  const CellOutcome outcome = through_protocol(trained(test::training_cell()));
  REQUIRE(outcome.result);
  REQUIRE(outcome.result->samples.size() == 2);
  const RunSample& sample = outcome.result->samples[1];
  CHECK(names_of_parts(sample) == Words{"input", "forward", "backward", "optimizer"});
  CHECK(seconds_of(sample, "backward") == 4);
}

TEST_CASE("a record of other work has that work's parts in JSON, and reads back as it was") {
  const Cell cell = test::training_cell();
  const RunRecord record = record_from(cell, through_protocol(trained(cell)));
  const auto json = to_json(record);
  CHECK(json.at("samples").at(0).dump() ==
        R"({"input_s":0.5,"forward_s":2.0,"backward_s":4.0,"optimizer_s":1.0,"e2e_s":7.5,)"
        R"("step_s":[3.75,3.75],"start_s":0.0})");
  CHECK(json.at("first_image").contains("optimizer_s"));
  CHECK(to_json_line(record_from_json(json)) == to_json_line(record));
}

TEST_CASE("a figure of a part that the work has not is absent, not zero") {
  const Cell cell = test::training_cell();
  const RunRecord record = record_from(cell, trained(cell));
  for (const auto figure :
       {&RunRecord::text_s, &RunRecord::text_s_median, &RunRecord::unet_s, &RunRecord::unet_s_max,
        &RunRecord::vae_s, &RunRecord::vae_s_sd, &RunRecord::unet_it_s, &RunRecord::s_per_it,
        &RunRecord::first_image_it_s, &RunRecord::achieved_tflops, &RunRecord::unet_it_s_ci95_low,
        &RunRecord::megapixels_per_s}) {
    CHECK_FALSE((record.*figure).has_value());
  }
  CHECK(record.first_image_s == 7.5);
  CHECK(record.e2e_s == 7.5);
  CHECK(record.step_s_mean == 3.75);
  CHECK(record.step_count == 4);
  CHECK(record.e2e_it_s == 4 / 15.0);
  CHECK(record.images_per_min_ci95_low == 8); // equal runs leave no doubt
}

TEST_CASE("steps of a run of other work that --max-time cut are no iterations of a UNet") {
  Cell cell = test::training_cell();
  cell.max_time_s = 24; // load 8, first run 7.5, warm-up 7.5, and a step of the timed run
  const RunRecord record = record_from(cell, trained(cell));
  REQUIRE(record.partial_run);
  CHECK(record.partial_run->step_s == std::vector<double>{3.75});
  CHECK(record.step_count == 1);
  CHECK(record.flags == "partial");
  CHECK_FALSE(record.unet_it_s);
  CHECK_FALSE(record.s_per_it);
}
