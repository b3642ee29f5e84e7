#include "sdbench/cli/progress.h"

#include <sstream>

#include "catch.h"
#include "fake_executor.h"
#include "sdbench/cli/log.h"
#include "sdbench/config/model_config.h"
#include "sdbench/plan/cell.h"

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

/// What a person sees of a good run.
std::string seen(bool live, int verbosity) {
  std::ostringstream err;
  const Cell cell = fallback_cell();
  {
    Progress progress(cell, make_logger(err, verbosity), err, live);
    (void)test::FakeExecutor().run(cell, progress);
  }
  return err.str();
}

} // namespace

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
  Progress progress(cell, make_logger(err, -1), err, true, Progress::Brief{"[2/3] ", said});
  progress.on_stage("step_images");
  CHECK_THAT(err.str(), ContainsSubstring("[2/3] images after steps ..."));
  progress.on_step(0, 0, 4, 0.5);
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
    const Progress progress(cell, make_logger(err, 0), err, false);
    return err.str();
  };
  CHECK_THAT(head("PNDMScheduler"),
             ContainsSubstring("scheduler  euler (leading), converted from PNDMScheduler as "
                               "diffusers does\n"));
  CHECK(head("EulerDiscreteScheduler").find("scheduler") == std::string::npos);
}
