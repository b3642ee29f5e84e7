#include <chrono>
#include <string>

#include "catch.h"
#include "cell_ears.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/core/status.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"

using namespace sdbench;
using test::Ears;
using test::run;

TEST_CASE("load_s ends with the weights: images of epochs are read in nobody's time") {
  RunConfig config;
  config.model = "tiny-cnn";
  config.weights = "synthetic";
  config.task = "train";
  config.epochs = 1;
  config.data = "synthetic:50000";
  config.device = "cpu";
  config.max_time_s = 1e-9;
  const Cell cell = resolve_cell(config, true);
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(load_dataset(cell.data));
  const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - start;
  Ears ears;
  const CellOutcome outcome = run(cell, ears);
  INFO(outcome.message);
  REQUIRE(outcome.status == Status::kOk);
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->load_s > 0);
  CHECK(outcome.result->load_s < reading.count());
}
