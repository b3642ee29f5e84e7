#include "sdbench/base/plan/time_estimate.h"

#include <map>
#include <stdexcept>
#include <string>

#include "catch.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/preset_catalog.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/resolve_model.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/task_table.h"
#include "tiny_cell.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;

namespace {

/// Of all starts of a preset. `tflops`: what a step reaches, by the engine.
double seconds_of_preset(const std::string& name, const std::map<std::string, double>& tflops) {
  constexpr double kTunedShare = 0.9; // of a product's rate
  OptionLayers layers;
  layers.add_file(preset_file(name));
  ModelResolver models;
  double seconds = 0;
  for (const RunOptions& options : layers.cells()) {
    Cell cell = plan_cell(options.cell, options.model_given, models).cell;
    const double reached = tflops.at(cell.engine) * 1e12;
    cell.engine = kTunedEngine;
    seconds += static_cast<double>(options.restarts.value()) *
               seconds_by_arithmetic(cell, reached / kTunedShare);
  }
  return seconds;
}

Cell large_cell() {
  Cell cell = test::tiny_cell("sdxl");
  cell.width = 1024;
  cell.height = 1024;
  cell.steps = 50;
  cell.repeat = 3;
  return cell;
}

} // namespace

TEST_CASE("hours on a processor are told before they begin, and what is quicker") {
  // 50 steps of both halves of guidance, 3.38 TMAC each, are 676 TFLOP; five images
  // and their decoding are 3.4 PFLOP, at 0.9 of the rate.
  const std::string note = expected_time_note(large_cell(), [] { return 1e11; });
  CHECK_THAT(note, ContainsSubstring("takes about 11 h on this processor"));
  CHECK_THAT(note, ContainsSubstring("--model tiny-sdxl"));
  CHECK_THAT(expected_time_note(large_cell(), [] { return 4e12; }),
             ContainsSubstring("takes about 16 min"));
}

TEST_CASE("the presets of cards take the time that docs/sweeps.md reckons with") {
  const double rtx3060 = 1.58 * 7.28; // it/s of SDXL at 768x768, as published, and a step's TFLOP
  const double seconds = seconds_of_preset("card-1", {{"plain", rtx3060}, {"tuned", rtx3060}});
  CHECK_THAT(seconds, WithinRel(600, 0.02));
  CHECK(seconds + 18 * 6 <= 12 * 60);
  const auto on_two_cores = [](double tuned, double plain) {
    return seconds_of_preset("card-cpu-1", {{"tuned", tuned}, {"plain", plain}});
  };
  CHECK_THAT(on_two_cores(0.41, 0.28), WithinRel(430, 0.03)); // bf16
  CHECK_THAT(on_two_cores(0.26, 0.17), WithinRel(690, 0.03)); // fp32
}

TEST_CASE("what is quicker is said by the options that the work has") {
  const auto basis = [](const Cell& cell) { return expected_time_basis(cell, 1000, false); };
  CHECK_THAT(basis(large_cell()), ContainsSubstring("(--steps)"));
  Cell network;
  network.model = find_model_config("tiny-resnet");
  network.task = Task::kTrain;
  CHECK_THAT(basis(network), ContainsSubstring("(--iterations)") && ContainsSubstring("--repeat"));
  network.epochs = 3;
  CHECK_THAT(basis(network), ContainsSubstring("(--epochs)") &&
                                 !ContainsSubstring("--iterations") &&
                                 !ContainsSubstring("--repeat") && !ContainsSubstring("--batch"));
}

TEST_CASE("a rough time has two digits at most, in the unit that suits it") {
  CHECK(rough_time(40) == "40 s");
  CHECK(rough_time(600) == "10 min");
  CHECK(rough_time(11.4 * 3600) == "11 h");
  CHECK(rough_time(270 * 3600) == "11 days");
  CHECK(expected_time_basis(large_cell(), 299, false) ==
        "on this processor, by its arithmetic and the measured speed of a matrix product");
}

TEST_CASE("of a cell of minutes nothing is told, and of a small one nothing is even looked at") {
  CHECK(expected_time_note(large_cell(), [] { return 1e15; }).empty());
  bool asked = false;
  CHECK(expected_time_note(test::tiny_cell(), [&] {
          asked = true;
          return 1.0;
        }).empty());
  CHECK_FALSE(asked);
}

TEST_CASE("a row of the same cell tells better than arithmetic") {
  Cell cell = large_cell();
  cell.expected_s = 2 * 3600;
  const auto never = []() -> double { throw std::logic_error("not needed"); };
  const std::string note = expected_time_note(cell, never);
  CHECK_THAT(note, ContainsSubstring("takes about 2 h on this processor, by the latest row of the "
                                     "same cell in the outputs"));
  cell.expected_s = 200;
  CHECK(expected_time_note(cell, never).empty());
  CHECK(may_take_long(cell));
  CHECK_FALSE(may_take_long(test::tiny_cell()));
}
