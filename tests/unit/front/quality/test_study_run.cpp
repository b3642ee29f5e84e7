#include "sdbench/front/quality/study_run.h"

#include <cstdint>
#include <filesystem>

#include "catch.h"
#include "dump_file.h"
#include "fake_executor.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/quality/step_images.h"
#include "sdbench/front/record/run_record.h"

using namespace sdbench;

namespace {

/// An executor's answer that writes pictures. A candidate's differ by one level.
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
  if (cell.dump_step_images) {
    plan.step_pixel = [plan](std::int64_t step, std::size_t i) {
      return static_cast<std::uint8_t>(plan.pixel(i) + step);
    };
  }
  test::write_dump(cell.dump_run, plan);
  return test::good_outcome(cell);
}

/// An answer that writes pictures, and then fails at decoding the images after its steps.
CellOutcome failed_after_pictures(const Cell& cell, Status status) {
  CellOutcome outcome = drawn(cell);
  std::filesystem::remove(RunDump::step_file(cell.dump_run, 2));
  outcome.status = status;
  outcome.stage = CellStage::kStepImages;
  outcome.message = "as a test wanted";
  outcome.stderr_tail = "last words";
  return outcome;
}

struct Hearer final : StudyObserver {
  ExecutorObserver& on_cell(const StudyCell& cell) override {
    cells.push_back(cell.words);
    return ears;
  }
  void on_missing_step_images(const StudyCell& cell, const std::string& why) override {
    missing.push_back(cell.words + ": " + why);
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
  std::vector<std::string> missing;
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
      outcome.stage = CellStage::kLoad;
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
      return test::good_outcome(cell); // claims success, but has written nothing
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

TEST_CASE(
    "images after each step are asked for where reference and candidate have the same steps") {
  test::FakeExecutor executor(drawn);
  Hearer hearer;
  const Study study = small_study({{"dtype", "bf16"}, {"steps", {2, 3, 4}}});
  Study with_two = study;
  with_two.reference.cell.steps = 3;
  const StudyResult result = run_study(with_two, executor, {}, hearer);
  REQUIRE(executor.cells.size() == 4);
  for (const Cell& cell : executor.cells) {
    CHECK(cell.dump_step_images == (cell.steps == 3));
  }
  CHECK(result.candidates[0].step_images == "no");
  CHECK(result.candidates[0].images[0].pictures_by_step.empty());
  CHECK(result.candidates[1].step_images == "yes");
  CHECK(result.candidates[1].images[1].pictures_by_step.size() == 3);
  CHECK(hearer.missing.empty());

  with_two.candidates.erase(with_two.candidates.begin() + 1); // the one with equal steps
  test::FakeExecutor thrifty(drawn);
  (void)run_study(with_two, thrifty, {}, hearer);
  CHECK_FALSE(thrifty.cells[0].dump_step_images);
}

TEST_CASE("nobody decodes images after steps that are not asked for") {
  test::FakeExecutor executor(drawn);
  Hearer hearer;
  Study study = small_study();
  study.step_images = false;
  const StudyResult result = run_study(study, executor, {}, hearer);
  for (const Cell& cell : executor.cells) {
    CHECK_FALSE(cell.dump_step_images);
  }
  CHECK(result.candidates[0].step_images == "no");
  CHECK(result.candidates[0].images[0].pictures_by_step.empty());
}

TEST_CASE(
    "a candidate that fails at an image after a step keeps its row and the figures till then") {
  const Status status = GENERATE(Status::kOomDevice, Status::kCrash, Status::kTimeout);
  test::FakeExecutor executor([status](const Cell& cell) {
    return cell.dtype == Precision(Dtype::kF16) ? failed_after_pictures(cell, status) : drawn(cell);
  });
  Hearer hearer;
  const StudyResult result = run_study(small_study({{"steps", 4}}), executor, {}, hearer);
  CHECK(hearer.statuses == std::vector<std::string>{"ok with pictures", "ok with pictures"});
  const CandidateResult& failed = result.candidates[0];
  CHECK(failed.record.error.empty());
  CHECK(failed.record.stage.empty());
  CHECK(failed.record.stderr_tail.empty());
  CHECK(failed.record.psnr_db_min == failed.images[0].psnr_db);
  const auto& by_step = failed.images[0].pictures_by_step;
  REQUIRE(by_step.size() == 4);
  CHECK(by_step[0]);
  CHECK_FALSE(by_step[1]);
  CHECK(by_step[3]->psnr_db == failed.images[0].psnr_db);
  const std::string why = std::string(name_of(status)) + ": step_images: as a test wanted";
  CHECK(failed.step_images == why);
  CHECK(hearer.missing == std::vector<std::string>{"fp16: " + why});
  CHECK(result.candidates[1].step_images == "yes");
}

TEST_CASE("without the reference's images after steps the study goes on with the final ones") {
  test::FakeExecutor executor([](const Cell& cell) {
    return cell.dtype == Precision(Dtype::kF32) ? failed_after_pictures(cell, Status::kOomHost)
                                                : drawn(cell);
  });
  Hearer hearer;
  const StudyResult result = run_study(small_study(), executor, {}, hearer);
  CHECK(result.reference.status == "ok");
  const std::string why = "the reference has none: oom_host: step_images: as a test wanted";
  CHECK(hearer.missing == std::vector<std::string>{"fp32: " + why});
  for (const CandidateResult& candidate : result.candidates) {
    CHECK(candidate.record.status == "ok");
    CHECK(candidate.step_images == why);
    CHECK(candidate.images[0].pictures_by_step.empty());
  }
  CHECK_FALSE(executor.cells[1].dump_step_images);
}

TEST_CASE("images after steps that are not finite are counted, and the others compared") {
  test::FakeExecutor executor([](const Cell& cell) {
    CellOutcome outcome = drawn(cell);
    if (cell.dtype == Precision(Dtype::kF16)) {
      std::filesystem::remove(RunDump::step_file(cell.dump_run, 1));
    }
    return outcome;
  });
  Hearer hearer;
  const StudyResult result = run_study(small_study({{"steps", 3}}), executor, {}, hearer);
  CHECK(result.candidates[0].step_images == "1 of 3 are not finite");
  CHECK_FALSE(result.candidates[0].images[0].pictures_by_step[0]);
  CHECK(result.candidates[0].images[0].pictures_by_step[1]);
  CHECK(result.candidates[1].step_images == "yes"); // the candidate before left no files for it
}

TEST_CASE("an interruption among the images after steps is one") {
  test::FakeExecutor executor([](const Cell& cell) {
    return cell.dtype == Precision(Dtype::kF16) ? failed_after_pictures(cell, Status::kInterrupted)
                                                : drawn(cell);
  });
  Hearer hearer;
  const StudyResult result = run_study(small_study(), executor, {}, hearer);
  REQUIRE(result.candidates.size() == 1);
  CHECK(result.candidates[0].record.status == "interrupted");
}

TEST_CASE("a folder without room for them has a study without images after steps") {
  Study study = small_study();
  study.reference.cell.steps = study.candidates[0].cell.steps = 1000;
  study.reference.cell.width = study.reference.cell.height = 16384;
  study.reference.cell.images = 100'000;
  const std::string why = plan_step_images(study, std::filesystem::temp_directory_path());
  CHECK_THAT(why, Catch::Matchers::ContainsSubstring("TMPDIR must have "));
  CHECK(is_missing(why));
  study.step_images = false;
  CHECK(plan_step_images(study, std::filesystem::temp_directory_path()) == "no");
}
