#include "sdbench/quality/study_pictures.h"

#include "catch.h"
#include "dump_file.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"

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
  result.images = compare_runs(run, run);
  pictures.add_reference(study.reference, run);
  pictures.add_candidate(study.candidates[0], result, run);
  CHECK(std::filesystem::exists(folder.path() / "out/1-bf16-10-steps/difference-x10-seed0.png"));
  CHECK(pictures.write_contact_sheet() == folder.path() / "out/contact-sheet.png");
  CHECK(std::filesystem::file_size(folder.path() / "out/contact-sheet.png") > 100);
}

TEST_CASE("a folder of pictures that cannot be made is refused before the study") {
  const test::ScratchFolder folder;
  Study study = pictured_study();
  folder.write("file", "");
  CHECK_THROWS_WITH(StudyPictures(study, folder.path() / "file" / "out", 10),
                    Catch::Matchers::ContainsSubstring("cannot make the folder"));
}
