#include "sdbench/front/progress/progress.h"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "catch.h"
#include "environment.h"
#include "fake_executor.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/progress/progress_bar.h"
#include "sdbench/front/progress/run_titles.h"
#include "sdbench/front/terminal/log.h"
#include "sdbench/front/words/terminal_text.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

Cell fallback_cell() {
  Cell cell;
  cell.model.name = "sd15";
  cell.model.repositories = {"owner/name"};
  cell.weights.description = "synthetic:0";
  cell.weights.fallback = true;
  cell.steps = 2;
  return cell;
}

/// The output that a user sees of a good run.
std::string seen(bool live, int verbosity) {
  std::ostringstream err;
  const Cell cell = fallback_cell();
  {
    Progress progress(cell, make_logger(err, verbosity), err, {live});
    (void)test::FakeExecutor().run(cell, progress);
  }
  return err.str();
}

} // namespace

namespace {
std::size_t width_now = 0;
std::size_t width_of_test() {
  return width_now;
}
} // namespace

TEST_CASE("a bar is as wide as there is room for, then rate, times and counts make way") {
  const auto bar = [](std::size_t columns) {
    return bar_text("timed run 10/10", 20, 40, 10, columns);
  };
  CHECK(bar(0) == bar(200));
  for (std::size_t columns = 1; columns <= 200; ++columns) {
    CAPTURE(columns);
    CHECK(columns_of(bar(columns)) <= std::max<std::size_t>(columns, 5)); // " 100%"
  }
  CHECK(bar(60) == "timed run 10/10  50%|███    | 20/40 [00:10<00:10, 2.00 it/s]");
  CHECK(bar(54) == "timed run 10/10  50% 20/40 [00:10<00:10, 2.00 it/s]");
  CHECK(bar(45) == "timed run 10/10  50% 20/40 [00:10<00:10]");
  CHECK(bar(26) == "timed run 10/10  50% 20/40");
  CHECK(bar(20) == "timed run 10/10  50%");
  CHECK(bar(14) == "timed ru…  50%");
}

TEST_CASE("a live line is narrower than its terminal, whatever that becomes") {
  std::ostringstream err;
  LiveLine line(err, {.live = true, .ascii = false, .width = width_of_test});
  width_now = 12;
  line.show("first image ...");
  CHECK(err.str() == "\rfirst imag…\x1b[K");
  err.str("");
  width_now = 8;
  line.show("first image ...");
  CHECK(err.str() == "\rfirst …\x1b[K");
  width_now = 0;
}

TEST_CASE("a line without news tells for how long") {
  std::ostringstream err;
  {
    LiveLine line(err, {.live = true});
    line.show("first image ...");
    std::this_thread::sleep_for(std::chrono::milliseconds(2700));
  }
  CHECK_THAT(err.str(), ContainsSubstring("\rfirst image ... +00:02\x1b[K"));
  CHECK(err.str().ends_with("\r\x1b[K"));
}

TEST_CASE("the head names device, model, weights, dtype, attention and the expected time") {
  const std::string text = seen(false, 0);
  for (const char* part :
       {"model      sd15: 512x512, 2 steps", "weights    synthetic:0",
        "device     Fake GPU (Hopper, compute capability 9.0), 80.0 GiB, driver 580.95",
        "dtype      UNet fp16, VAE fp16, text fp16", "attention  flash (asked: auto)",
        "expected   about 10.0 s or more for the steps of the first image, 1 warm-up image and 3 "
        "timed runs",
        "a note from the worker"}) {
    CHECK_THAT(text, ContainsSubstring(part));
  }
}

TEST_CASE("synthetic weights that nobody asked for are said loudly, also with -q") {
  for (const int verbosity : {-1, 0}) {
    const std::string text = seen(false, verbosity);
    CHECK_THAT(text, ContainsSubstring("NO WEIGHTS FOUND"));
    CHECK_THAT(text, ContainsSubstring("THE IMAGE IS NOISE"));
    CHECK_THAT(text, ContainsSubstring("hf download owner/name"));
  }
}

TEST_CASE("the bar shows steps that have finished, on a terminal alone") {
  const std::string live = seen(true, 0);
  CHECK_THAT(live, ContainsSubstring("first image 100%|"));
  CHECK_THAT(live, ContainsSubstring("2/2 [00:02<00:00, 1.00 it/s]"));
  CHECK_THAT(live, ContainsSubstring("timed run 1/3  50%|"));
  CHECK(live.ends_with("\r\x1b[K"));
  CHECK(seen(false, 0).find('\r') == std::string::npos);
}

TEST_CASE("images that are decoded after the steps have a bar of their own") {
  std::ostringstream err;
  const Cell cell = fallback_cell();
  std::set<std::string> said;
  Progress progress(cell, make_logger(err, -1), err, {true}, Progress::Brief{"[2/3] ", said});
  progress.on_event(StageEvent{CellStage::kStepImages});
  CHECK_THAT(err.str(), ContainsSubstring("[2/3] images after steps ..."));
  progress.on_event(StepEvent{0, 0, 4, 0.5});
  CHECK_THAT(err.str(), ContainsSubstring("[2/3] images after steps  25%|"));
}

TEST_CASE("quiet leaves warnings and notes") {
  const std::string text = seen(false, -1);
  CHECK(text.find("device") == std::string::npos);
  CHECK_THAT(text, ContainsSubstring("a note from the worker"));
}

TEST_CASE("a bar's text below one step a second, before its first step, and beyond its end") {
  CHECK(bar_text("x", 1, 4, 5) == "x  25%|██████                  | 1/4 [00:05<00:15, 5.00 s/it]");
  CHECK(bar_text("x", 0, 4, 0) == "x   0%|                        | 0/4 [00:00]");
  CHECK_THAT(bar_text("x", 5, 4, 5), ContainsSubstring("100%|"));
  CHECK_THAT(bar_text("x", 1, 2, 3725), ContainsSubstring("[1:02:05<1:02:05"));
}

TEST_CASE("a converted scheduler is said once, one that is Euler already is not") {
  const auto head = [](const char* scheduler) {
    std::ostringstream err;
    Cell cell = fallback_cell();
    cell.model.scheduler.source_class = scheduler;
    cell.timestep_spacing = TimestepSpacing::kLeading;
    const Progress progress(cell, make_logger(err, 0), err, {});
    return err.str();
  };
  CHECK_THAT(head("PNDMScheduler"),
             ContainsSubstring("scheduler  euler (leading), converted from PNDMScheduler as "
                               "diffusers does\n"));
  CHECK(head("EulerDiscreteScheduler").find("scheduler") == std::string::npos);
}

namespace {

Cell epoch_cell() {
  Cell cell;
  cell.model.name = "cnn10";
  cell.weights.description = "synthetic:0";
  cell.task = Task::kTrain;
  cell.steps = 1;
  cell.batch = 16;
  cell.images = 100;
  cell.epochs = 3;
  cell.repeat = 2;
  cell.warmup = 0;
  return cell;
}

} // namespace

TEST_CASE("the expected time of epochs has their last batch, too, and speaks of epochs") {
  std::ostringstream err;
  const Cell cell = epoch_cell();
  {
    Progress progress(cell, make_logger(err, 0), err, {false});
    progress.on_event(StageEvent{CellStage::kFirstImage});
    progress.on_event(StepEvent{0, 0, 7, 3});
    progress.on_event(StepEvent{0, 1, 7, 2});
  }
  CHECK_THAT(err.str(),
             ContainsSubstring("expected   about 42.0 s for the iterations of 3 epochs\n"));
  Cell one_epoch = epoch_cell();
  one_epoch.epochs = one_epoch.repeat = 1;
  err.str("");
  {
    Progress progress(one_epoch, make_logger(err, 0), err, {false});
    progress.on_event(StageEvent{CellStage::kMeasure});
    progress.on_event(StepEvent{0, 0, 7, 3});
    progress.on_event(StepEvent{0, 1, 7, 2});
  }
  CHECK_THAT(err.str(),
             ContainsSubstring("expected   about 14.0 s for the iterations of 1 epoch\n"));
}

TEST_CASE("runs are named by what they are of the cell's work") {
  const RunTitles epochs(epoch_cell());
  CHECK(epochs.of_stage(CellStage::kLoad) == "load");
  CHECK(epochs.of_stage(CellStage::kFirstImage) == "first epoch");
  CHECK(epochs.of_run(CellStage::kFirstImage, 0) == "first epoch");
  CHECK(epochs.of_run(CellStage::kMeasure, 0) == "epoch 2/3");
  CHECK(epochs.of_run(CellStage::kTest, 0) == "test images");
  Cell one_epoch = epoch_cell();
  one_epoch.epochs = one_epoch.repeat = 1;
  CHECK(RunTitles(one_epoch).of_run(CellStage::kMeasure, 0) == "epoch 1/1");
  Cell network = epoch_cell();
  network.epochs = 0;
  CHECK(RunTitles(network).of_stage(CellStage::kFirstImage) == "first run");
  CHECK(RunTitles(network).of_run(CellStage::kMeasure, 0) == "timed run 1/2");
  Cell images = fallback_cell();
  images.warmup = 2;
  CHECK(RunTitles(images).of_stage(CellStage::kFirstImage) == "first image");
  CHECK(RunTitles(images).of_run(CellStage::kWarmup, 1) == "warm-up 2/2");
  images.warmup.reset();
  images.max_noise = 0.01; // the number of runs is unknown
  CHECK(RunTitles(images).of_run(CellStage::kWarmup, 1) == "warm-up 2");
  CHECK(RunTitles(images).of_run(CellStage::kMeasure, 3) == "timed run 4");
}

TEST_CASE("a network's synthetic weights are said without a word of images") {
  std::ostringstream err;
  Cell cell = epoch_cell();
  cell.epochs = 0;
  cell.task = Task::kInfer;
  cell.weights.fallback = true;
  const test::EnvironmentVariable shelf("SDBENCH_WEIGHTS", "/shelf");
  const Progress progress(cell, make_logger(err, 0), err, {false});
  CHECK_THAT(err.str(), ContainsSubstring("SYNTHETIC WEIGHTS (synthetic:0): neither --weights nor "
                                          "SDBENCH_WEIGHTS names weights of cnn10."));
  CHECK_THAT(err.str(), ContainsSubstring("Nothing in SDBENCH_WEIGHTS (/shelf) fits cnn10"));
  CHECK_THAT(err.str(), !ContainsSubstring("IMAGE"));
}
