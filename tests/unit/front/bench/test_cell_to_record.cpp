#include "sdbench/base/config/run_config.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/cell_to_record.h"
#include "sdbench/front/record/run_record.h"

#include "catch.h"
#include "fake_executor.h"

using namespace sdbench;

namespace {

Cell cell_to_run() {
  RunConfig config;
  config.model = "tiny-sd15";
  config.weights = "synthetic";
  return resolve_cell(config, true);
}

} // namespace

TEST_CASE("a cell becomes a record with a time and a name of its own") {
  test::FakeExecutor executor;
  ExecutorObserver nobody;
  RecordContext context;
  context.label = "label";
  const RunRecord record = run_cell(cell_to_run(), executor, nobody, context);
  CHECK(record.status == "ok");
  CHECK(record.label == "label");
  CHECK(record.run_id.size() == 17);
  CHECK(record.time_utc.ends_with("Z"));
  CHECK(record.unet_it_s == 2);
  CHECK(run_cell(cell_to_run(), executor, nobody, context).run_id != record.run_id);
}

TEST_CASE("a cell that fails becomes a record, too") {
  test::FakeExecutor executor([](const Cell&) {
    CellOutcome outcome;
    outcome.status = Status::kOomDevice;
    outcome.stage = CellStage::kLoad;
    outcome.message = "too little memory";
    return outcome;
  });
  ExecutorObserver nobody;
  const RunRecord record = run_cell(cell_to_run(), executor, nobody, {});
  CHECK(record.status == "oom_device");
  CHECK(record.error == "load: too little memory");
}
