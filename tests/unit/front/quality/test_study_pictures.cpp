#include "sdbench/front/quality/study_pictures.h"

#include <set>

#include "catch.h"
#include "dump_file.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/run_dump.h"
#include "sdbench/front/quality/study_figures.h"

using namespace sdbench;

namespace {

Study pictured_study() {
  Study study;
  study.reference.words = "fp32, attention auto";
  StudyCell candidate;
  candidate.words = "bf16, 10 steps";
  study.candidates = {candidate};
  return study;
}

} // namespace

TEST_CASE("each cell of a study gets a folder, and each picture its difference and a place") {
  const test::ScratchFolder folder;
  Study study = pictured_study();
  StudyPictures pictures(study, folder.path() / "out", 10);
  CHECK(study.reference.cell.save_images == folder.path() / "out/reference-fp32-attention-auto");
  CHECK(study.candidates[0].cell.save_images == folder.path() / "out/1-bf16-10-steps");
  test::write_dump(folder.path() / "dump", {});
  const RunDump run(folder.path() / "dump");
  CandidateResult result;
  result.images = compare_runs(run, run, false);
  pictures.add_reference(study.reference, run);
  pictures.add_candidate(study.candidates[0], result, run);
  CHECK(std::filesystem::exists(folder.path() / "out/1-bf16-10-steps/difference-x10-seed0.png"));
  CHECK(pictures.write_contact_sheet() == folder.path() / "out/contact-sheet.png");
  CHECK(std::filesystem::file_size(folder.path() / "out/contact-sheet.png") > 100);
}

TEST_CASE("the images after the steps that are shown stand beside the final one") {
  const test::ScratchFolder folder;
  Study study = pictured_study();
  const StudyPictures pictures(study, folder.path() / "out", 10);
  test::DumpPlan plan;
  plan.steps = 8;
  plan.step_pixel = [](std::int64_t step, std::size_t i) {
    return static_cast<std::uint8_t>(static_cast<std::size_t>(step) + i);
  };
  test::write_dump(folder.path() / "dump", plan);
  const RunDump run(folder.path() / "dump");
  StudyPictures::write_steps(study.candidates[0], run);
  std::set<std::string> names;
  for (const auto& file :
       std::filesystem::directory_iterator(folder.path() / "out/1-bf16-10-steps")) {
    names.insert(file.path().filename().string());
  }
  CHECK(names == std::set<std::string>{"step1-seed0.png", "step2-seed0.png", "step4-seed0.png",
                                       "step6-seed0.png"});
}

TEST_CASE("a folder of pictures that cannot be made is refused before the study") {
  const test::ScratchFolder folder;
  Study study = pictured_study();
  folder.write("file", "");
  CHECK_THROWS_WITH(StudyPictures(study, folder.path() / "file" / "out", 10),
                    Catch::Matchers::ContainsSubstring("cannot make the folder"));
}
