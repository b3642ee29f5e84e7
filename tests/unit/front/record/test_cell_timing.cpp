// Tests a cell's three figures (load, first image, steady state). A fake clock, and a fake executor
// that works like the worker but without libtorch, make every number exact.

#include "sdbench/base/executor/cell_timing.h"
#include "sdbench/base/types/cell_stage.h"

#include <algorithm>
#include <memory>
#include <string>
#include <variant>

#include "catch.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"

using namespace sdbench;

namespace {

struct FakeClock {
  double seconds = 1000;
};

/// Images of two stages and some steps, whose durations the test chooses. They advance the clock.
class FakeImages final : public TimedWork {
public:
  FakeImages(FakeClock& clock, const Cell& cell) : clock_(clock), cell_(cell) {}

  std::vector<double> step_s{1};    ///< of a step of run k; the last one holds for later runs
  std::vector<double> warmup_s{};   ///< of warm-up k, for a whole batch; the same for the last
  std::function<void()> after_step; ///< called as each step ends

  [[nodiscard]] std::int64_t steps_of_batch() const override { return cell_.steps; }
  RunSample run_all(const StepListener& listener) override {
    return make(cell_.images / cell_.batch, at(step_s, runs_++), listener);
  }
  RunSample run_first_batch(const StepListener& listener) override {
    const double step = (at(warmup_s, warmups_++) - 1.5) / static_cast<double>(cell_.steps);
    return make(1, step, listener);
  }

private:
  static double at(const std::vector<double>& values, std::size_t index) {
    return values[std::min(index, values.size() - 1)];
  }
  double spend(double seconds) {
    clock_.seconds += seconds;
    return seconds;
  }
  RunSample make(std::int64_t batches, double step, const StepListener& listener) {
    RunSample sample;
    const double start = clock_.seconds;
    for (std::int64_t index = 0; index < batches * cell_.steps; ++index) {
      if (index % cell_.steps == 0) {
        add_seconds(sample, "text", spend(0.5));
      }
      sample.step_s.push_back(spend(step));
      add_seconds(sample, "unet", step);
      if (after_step) {
        after_step();
      }
      listener(index, step);
      if (index % cell_.steps == cell_.steps - 1) {
        add_seconds(sample, "vae", spend(1));
      }
    }
    sample.e2e_s = clock_.seconds - start;
    return sample;
  }

  FakeClock& clock_;
  const Cell& cell_;
  std::size_t runs_ = 0;
  std::size_t warmups_ = 0;
};

/// The worker's order of stages over fake images; `loading_s` pass while the model loads.
class TimedFakeExecutor final : public Executor {
public:
  explicit TimedFakeExecutor(const Cell& cell) : images(clock, cell) {}

  FakeClock clock;
  FakeImages images;
  double loading_s = 8;
  std::atomic<bool> stop{false};

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override {
    CellOutcome outcome;
    CellResult& result = outcome.result.emplace();
    CellTiming timing(cell, observer, &stop, [this] { return clock.seconds; });
    clock.seconds += loading_s;
    timing.loaded(result);
    try {
      timing.run_first(images, result);
      timing.warm_up(images, result);
      timing.measure(images, result);
      outcome.status = Status::kOk;
    } catch (const CellFailure& failure) {
      outcome.status = failure.status();
      outcome.message = failure.what();
    }
    return outcome;
  }
  std::vector<DeviceInfo> devices() override { return {}; }
  void restart() override {}
};

Cell four_steps() {
  Cell cell;
  cell.model.name = "fake";
  unet_of(cell.model).block_out_channels = {32};
  unet_of(cell.model).down_block_has_attention = {false};
  unet_of(cell.model).up_block_has_attention = {false};
  unet_of(cell.model).layers_per_block = {1};
  unet_of(cell.model).down_transformer_layers = {{}};
  unet_of(cell.model).up_transformer_layers = {{}};
  unet_of(cell.model).head_counts = {1};
  unet_of(cell.model).cross_attention_dims = {32};
  cell.model.vae.block_out_channels = {32, 32, 32, 32};
  cell.model.text_encoders.resize(1);
  cell.width = 1000;
  cell.height = 500;
  cell.steps = 4;
  cell.prompts = {"a"};
  cell.warmup = 0;
  return cell;
}

RunRecord record_of(const Cell& cell, TimedFakeExecutor& executor) {
  ExecutorObserver silent;
  return build_record(cell, executor.run(cell, silent), RecordContext{});
}

} // namespace

TEST_CASE("load, first image and steady state are three figures") {
  Cell cell = four_steps();
  TimedFakeExecutor executor(cell);
  executor.images.step_s = {4, 0.5, 0.5, 0.5}; // the first image is cold
  const RunRecord record = record_of(cell, executor);
  CHECK(record.load_s == 8);
  CHECK(record.first_image_s == 17.5); // text 0.5, four steps of 4, VAE 1
  CHECK(record.first_image_it_s == 0.25);
  CHECK(record.e2e_s == 3.5);
  CHECK(record.unet_it_s == 2);
  CHECK(record.images_per_min == 60 / 3.5);
  CHECK(record.repeat == 3);
  CHECK(record.stop_reason == "repeat");
  CHECK(record.warmup == 0);
  CHECK(record.warmup_reason == "asked");
  CHECK(record.unet_it_s_ci95_low == 2); // equal runs leave no doubt
  CHECK(record.unet_it_s_ci95_high == 2);
  CHECK(record.ci95_covers == "within-run");
  CHECK(record.ci95_count == 3);
  CHECK(record.noise == 0);
  CHECK(record.flags.empty());
}

TEST_CASE("loading again with another dtype leaves the first attempt out of load_s") {
  FakeClock clock;
  const Cell cell = four_steps();
  ExecutorObserver silent;
  CellTiming timing(cell, silent, nullptr, [&] { return clock.seconds; });
  clock.seconds += 20;
  timing.restart_load();
  clock.seconds += 3;
  CellResult result;
  timing.loaded(result);
  CHECK(result.load_s == 3);
}

TEST_CASE("what was prepared while the model was loaded is no part of load_s") {
  FakeClock clock;
  const Cell cell = four_steps();
  ExecutorObserver silent;
  CellTiming timing(cell, silent, nullptr, [&] { return clock.seconds; });
  clock.seconds += 3;
  CellResult result;
  result.prepare_s = 1.25;
  timing.loaded(result);
  CHECK(result.load_s == 1.75);
  CHECK(result.prepare_s == 1.25);
}

TEST_CASE("warm-up compares a batch with a batch, however many the first run made") {
  Cell cell = four_steps();
  cell.warmup.reset();
  cell.images = 3;
  TimedFakeExecutor executor(cell);
  executor.images.step_s = {1}; // 5.5 s a batch, 16.5 s the run
  executor.images.warmup_s = {5.5};
  const RunRecord record = record_of(cell, executor);
  CHECK(record.warmup == 1);
  CHECK(record.warmup_reason == "settled");
  CHECK(record.e2e_s == 16.5);
}

TEST_CASE("warm-up goes on while images get faster") {
  Cell cell = four_steps();
  cell.warmup.reset();
  TimedFakeExecutor executor(cell);
  executor.images.step_s = {4, 1};
  executor.images.warmup_s = {10, 6, 5.5, 5.5};
  const RunRecord record = record_of(cell, executor);
  CHECK(record.warmup == 4); // 17.5, 10, 6, 5.5, 5.5
  CHECK(record.warmup_reason == "settled");
  CHECK(record.unet_it_s == 1);
}

TEST_CASE("The option --max-noise stops at the first run that makes the mean sure") {
  Cell cell = four_steps();
  cell.repeat = 1;
  cell.max_noise = 0.25;
  TimedFakeExecutor executor(cell);
  executor.images.step_s = {1, 0.125, 2.125, 0.125, 2.125, 1.125};
  // End to end 2, 10, 2, 10, 6, 6 …: relative standard errors 0.571 of three runs, then 0.385,
  // 0.298, 0.243.
  const RunRecord record = record_of(cell, executor);
  CHECK(record.stop_reason == "max_noise");
  CHECK(record.repeat == 6);
  CHECK(*record.noise == Approx(0.24343224778007386).epsilon(1e-15));
}

TEST_CASE("The option --max-time inside a timed run keeps the whole ones and the rest apart") {
  Cell cell = four_steps();
  cell.max_time_s = 21; // load 8, first image 5.5, a run 5.5, and two steps of the next
  TimedFakeExecutor executor(cell);
  const RunRecord record = record_of(cell, executor);
  CHECK(record.status == "ok");
  CHECK(record.stop_reason == "max_time");
  CHECK(record.repeat == 1);
  CHECK(record.step_count == 4);
  CHECK(record.unet_it_s == 1);
  REQUIRE(record.partial_run);
  CHECK(record.partial_run->stage == "measure");
  CHECK(record.partial_run->step_s == std::vector<double>{1, 1});
  CHECK(record.flags.empty());
}

TEST_CASE(
    "The option --max-time inside the first timed run leaves the steps' rate, flagged as partial") {
  Cell cell = four_steps();
  cell.steps = 8;
  cell.max_time_s = 19; // load 8, first image 9.5, text 0.5, two steps
  TimedFakeExecutor executor(cell);
  executor.images.step_s = {1, 0.5};
  const RunRecord record = record_of(cell, executor);
  CHECK(record.status == "ok");
  CHECK(record.stop_reason == "max_time");
  CHECK(record.repeat == 0);
  CHECK(record.first_image_s == 9.5);
  CHECK(record.step_count == 2); // at 18.5 and at 19
  CHECK(record.unet_it_s == 2);
  CHECK(record.s_per_it == 0.5);
  CHECK_FALSE(record.unet_s);
  CHECK_FALSE(record.e2e_s);
  CHECK_FALSE(record.images_per_min);
  CHECK_FALSE(record.unet_it_s_ci95_low);
  CHECK(record.flags == "partial");
}

TEST_CASE("The option --max-time inside the first image leaves its rate alone: cold steps are no "
          "steady state") {
  Cell cell = four_steps();
  cell.max_time_s = 12;
  TimedFakeExecutor executor(cell);
  executor.images.step_s = {2};
  const RunRecord record = record_of(cell, executor);
  CHECK(record.load_s == 8);
  CHECK_FALSE(record.first_image_s);
  CHECK(record.first_image_it_s == 0.5); // steps at 10.5 and 12.5
  CHECK(record.partial_run->step_s.size() == 2);
  CHECK_FALSE(record.unet_it_s);
  CHECK(record.warmup == 0);
  CHECK(record.warmup_reason == "max_time");
  CHECK(record.stop_reason == "max_time");
  CHECK(record.flags == "partial");
}

TEST_CASE("one step is always finished, and a run whose steps are done is finished, too") {
  Cell cell = four_steps();
  cell.max_time_s = 1; // over before the model is loaded
  TimedFakeExecutor late(cell);
  CHECK(record_of(cell, late).partial_run->step_s.size() == 1);
  cell.max_time_s = 18.5; // the timed run's last step
  TimedFakeExecutor executor(cell);
  const RunRecord record = record_of(cell, executor);
  CHECK(record.repeat == 1);
  CHECK_FALSE(record.partial_run);
  CHECK(executor.clock.seconds == 1000 + 8 + 5.5 + 5.5);
}

TEST_CASE("The option --max-time during an exact warm-up ends the cell without a timed run") {
  Cell cell = four_steps();
  cell.warmup = 100;
  cell.max_time_s = 27.5;
  TimedFakeExecutor executor(cell);
  executor.images.warmup_s = {5.5};
  const RunRecord record = record_of(cell, executor);
  CHECK(record.warmup == 2); // at 19 and 24.5; the third is cut at 28
  CHECK(record.warmup_reason == "max_time");
  CHECK(record.repeat == 0);
  CHECK_FALSE(record.partial_run);
  CHECK_FALSE(record.unet_it_s);
  CHECK(record.flags == "partial");
}

TEST_CASE("a stop keeps the samples so far, whole and partial") {
  Cell cell = four_steps();
  TimedFakeExecutor executor(cell);
  executor.images.after_step = [&] { // in the second timed run's third step
    executor.stop = executor.clock.seconds >= 1000 + 8 + 5.5 + 5.5 + 3.5;
  };
  const RunRecord record = record_of(cell, executor);
  CHECK(record.status == "interrupted");
  CHECK(record.stop_reason == "interrupted");
  CHECK_THAT(record.error, Catch::Matchers::ContainsSubstring("interrupted during stage measure"));
  CHECK(record.repeat == 1);
  CHECK(record.partial_run->step_s.size() == 3);
  CHECK(record.unet_it_s == 1);
}

TEST_CASE("a stop between runs is seen before the next begins") {
  Cell cell = four_steps();
  TimedFakeExecutor executor(cell);
  executor.stop = true;
  const RunRecord record = record_of(cell, executor);
  CHECK(record.status == "interrupted");
  CHECK_FALSE(record.partial_run);
  CHECK(executor.clock.seconds == 1008);
}

TEST_CASE("what is done after a timed run is in nobody's time and may end the cell") {
  Cell cell = four_steps();
  cell.repeat = 5;
  FakeClock clock;
  FakeImages images(clock, cell);
  ExecutorObserver silent;
  CellTiming timing(cell, silent, nullptr, [&] { return clock.seconds; });
  CellResult result;
  int looks = 0;
  const auto look = [&] {
    clock.seconds += 100;
    if (++looks == 2) {
      throw CellFailure(Status::kInvalidOutput, "of the second run");
    }
  };
  CHECK_THROWS_AS(timing.measure(images, result, look), CellFailure);
  CHECK(looks == 2);
  REQUIRE(result.samples.size() == 2);
  CHECK(result.samples[1].e2e_s == result.samples[0].e2e_s);
}

TEST_CASE("others may be waited for before each further run and after the last, off the clock") {
  Cell cell = four_steps();
  TimedFakeExecutor executor(cell);
  struct Gate final : ExecutorObserver {
    explicit Gate(FakeClock& its_clock) : clock(its_clock) {}
    void on_event(const CellEvent& event) override {
      if (const auto* const one = std::get_if<ReadyEvent>(&event)) {
        clock.seconds += 100;
        ready.push_back(one->run);
      }
    }
    FakeClock& clock;
    std::vector<std::int64_t> ready;
  } gate(executor.clock);
  const CellOutcome outcome = executor.run(cell, gate);
  CHECK(gate.ready == std::vector<std::int64_t>{1, 2, 3}); // the caller itself reports run 0
  for (const RunSample& sample : outcome.result->samples) {
    CHECK(sample.e2e_s == 5.5);
  }
}

TEST_CASE("what a device of a parallel execution waits is no part of the stage that is measured") {
  struct Ears final : ExecutorObserver {
    void on_event(const CellEvent& event) override {
      if (const auto* const stage = std::get_if<StageEvent>(&event)) {
        heard += std::string(name_of(stage->stage)) + " ";
      } else if (std::holds_alternative<ReadyEvent>(event)) {
        heard += "ready ";
      } else if (const auto* const sample = std::get_if<SampleEvent>(&event)) {
        heard += sample->first_image ? "" : "run ";
      }
    }
    std::string heard;
  };
  Cell cell = four_steps();
  cell.repeat = 2;
  TimedFakeExecutor alone(cell);
  Ears by_itself;
  static_cast<void>(alone.run(cell, by_itself));
  CHECK(by_itself.heard == "run ready run ready ");
  cell.parallel_devices = {"cuda:0", "cuda:1"};
  TimedFakeExecutor executor(cell);
  Ears together;
  static_cast<void>(executor.run(cell, together));
  CHECK(together.heard == "run wait ready measure run wait ready ");
}
