#include "sdbench/quality/study_run.h"

#include "catch.h"
#include "dump_file.h"
#include "fake_executor.h"
#include "sdbench/core/error.h"

using namespace sdbench;

namespace {

/// An executor's answer that writes pictures: those of a candidate are one level off.
CellOutcome drawn(const Cell& cell) {
  test::DumpPlan plan;
  plan.images = cell.images;
  plan.steps = cell.steps;
  plan.width = cell.width;
  plan.height = cell.height;
  const bool is_reference = cell.dtype == Precision(Dtype::kF32);
  plan.pixel = [is_reference](std::size_t i) {
    return static_cast<std::uint8_t>(i % 200 + (is_reference ? 0 : 1));
  };
  test::write_dump(cell.dump_run, plan);
  return test::good_outcome(cell);
}

struct Hearer final : StudyObserver {
  ExecutorObserver& on_cell(const StudyCell& cell) override {
    cells.push_back(cell.words);
    return ears;
  }
  void on_reference(const StudyCell&, const RunRecord&, const RunDump& run) override {
    images = run.images();
  }
  void on_candidate(const StudyCell&, const CandidateResult& result, const RunDump* run) override {
    statuses.push_back(result.record.status + (run == nullptr ? "" : " with pictures"));
  }

  ExecutorObserver ears;
  std::vector<std::string> cells;
  std::vector<std::string> statuses;
  std::int64_t images = 0;
};

Study small_study(const Json& more = Json::object()) {
  Json values = {{"model", "tiny-sd15"}, {"weights", "synthetic"},
                 {"size", "64x64"},      {"steps", 2},
                 {"images", 2},          {"dtype", {"fp16", "bf16"}}};
  values.update(more);
  return plan_study(values, {});
}

} // namespace

TEST_CASE("a study runs its reference first and compares each candidate with it") {
  test::FakeExecutor executor(drawn);
  Hearer hearer;
  const StudyResult result = run_study(small_study(), executor, {}, hearer);
  CHECK(hearer.cells == std::vector<std::string>{"fp32", "fp16", "bf16"});
  CHECK(hearer.images == 2);
  CHECK(hearer.statuses == std::vector<std::string>{"ok with pictures", "ok with pictures"});
  CHECK(result.reference.status == "ok");
  REQUIRE(result.candidates.size() == 2);
  const CandidateResult& first = result.candidates[0];
  REQUIRE(first.images.size() == 2);
  CHECK(first.images[0].pixels.max_error == 1);
  CHECK(first.record.quality_reference == "fp32");
  CHECK(first.record.psnr_db_min == first.images[0].psnr_db);
  CHECK(first.record.ssim_min.value() < 1);
  CHECK(first.record.latents_nmse == 0);
  CHECK_FALSE(std::filesystem::exists(executor.cells[0].dump_run)); // the folder is gone
}

TEST_CASE("a candidate that fails is a result of its own, and the others go on") {
  test::FakeExecutor executor([](const Cell& cell) {
    if (cell.dtype == Precision(Dtype::kF16)) {
      CellOutcome outcome;
      outcome.status = Status::kOomDevice;
      outcome.stage = "load";
      outcome.message = "too large";
      return outcome;
    }
    return drawn(cell);
  });
  Hearer hearer;
  const StudyResult result = run_study(small_study(), executor, {}, hearer);
  CHECK(hearer.statuses == std::vector<std::string>{"oom_device", "ok with pictures"});
  CHECK(result.candidates[0].record.error == "load: too large");
  CHECK(result.candidates[0].images.empty());
}

TEST_CASE("a candidate whose pictures cannot be read or compared is an error") {
  test::FakeExecutor executor([](const Cell& cell) {
    if (cell.dtype == Precision(Dtype::kF16)) {
      return test::good_outcome(cell); // says it is well, and wrote nothing
    }
    Cell narrower = cell;
    narrower.width = cell.dtype == Precision(Dtype::kBF16) ? 32 : cell.width;
    return drawn(narrower);
  });
  Hearer hearer;
  const StudyResult result = run_study(small_study(), executor, {}, hearer);
  CHECK(hearer.statuses == std::vector<std::string>{"error", "error"});
  CHECK_THAT(result.candidates[1].record.error, Catch::Matchers::ContainsSubstring("32x64"));
}

TEST_CASE("a study without a reference's pictures ends there") {
  test::FakeExecutor executor([](const Cell&) {
    CellOutcome outcome;
    outcome.status = Status::kCrash;
    return outcome;
  });
  Hearer hearer;
  const StudyResult result = run_study(small_study(), executor, {}, hearer);
  CHECK(result.reference.status == "crash");
  CHECK(result.candidates.empty());
  CHECK(executor.cells.size() == 1);
}

TEST_CASE("an interruption ends a study with the candidate's row") {
  test::FakeExecutor executor([](const Cell& cell) {
    if (cell.dtype != Precision(Dtype::kF16)) {
      return drawn(cell);
    }
    CellOutcome outcome;
    outcome.status = Status::kInterrupted;
    return outcome;
  });
  Hearer hearer;
  CHECK(run_study(small_study(), executor, {}, hearer).candidates.size() == 1);
}

TEST_CASE(
    "a candidate that cannot be is skipped, and cells that differ in cuDNN's way share no worker") {
  test::FakeExecutor executor(drawn);
  Hearer hearer;
  Study study = small_study({{"dtype", "bf16"}, {"cudnn-benchmark", {"off", "on"}}});
  study.candidates[0].obstacle = "it cannot be";
  const StudyResult result = run_study(study, executor, {}, hearer);
  CHECK(hearer.statuses == std::vector<std::string>{"skipped", "ok with pictures"});
  CHECK(executor.restarts == 1);
}
