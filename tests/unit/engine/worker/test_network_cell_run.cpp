#include <chrono>
#include <cstdint>
#include <string>

#include "catch.h"
#include "cell_ears.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/status.h"

using namespace sdbench;
using test::Ears;
using test::run;

namespace {

RunConfig dropping() {
  RunConfig config;
  config.model = "tiny-vgg";
  config.weights = "synthetic";
  config.task = "train";
  config.device = "cpu";
  config.threads = 2;
  config.batch = 4;
  config.iterations = 2;
  config.repeat = 1;
  config.warmup = 0;
  return config;
}

double last_loss(const RunConfig& config) {
  Ears ears;
  const CellOutcome outcome = run(resolve_cell(config, true), ears);
  INFO(outcome.message);
  REQUIRE(outcome.status == Status::kOk);
  return outcome.result->loss_last.value();
}

/// The last loss of a training by which dropout drops.
double loss_of_dropout(std::uint64_t seed, const char* engine, std::int64_t epochs) {
  RunConfig config = dropping();
  config.update = "on";
  config.engine = engine;
  config.seed = seed;
  if (epochs > 0) {
    config.iterations.reset();
    config.epochs = epochs;
    config.data = "synthetic:10";
  }
  return last_loss(config);
}

} // namespace

TEST_CASE("what dropout drops is the seed's: the same training again has the same loss") {
  for (const std::int64_t epochs : {0, 2}) {
    CAPTURE(epochs);
    const double loss = loss_of_dropout(5, "plain", epochs);
    CHECK(loss_of_dropout(5, "plain", epochs) == loss);
    CHECK(loss_of_dropout(5, "tuned", epochs) == Approx(loss).epsilon(1e-5)); // channels-last
    CHECK(loss_of_dropout(6, "plain", epochs) != loss);
  }
}

TEST_CASE("neither warm-ups nor further runs move the loss of a run that changes no weights") {
  RunConfig config = dropping();
  const double loss = last_loss(config);
  for (const std::int64_t warmup : {1, 3}) {
    CAPTURE(warmup);
    config.warmup = warmup;
    CHECK(last_loss(config) == loss);
  }
  config.repeat = 3;
  CHECK(last_loss(config) == loss);
}

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
