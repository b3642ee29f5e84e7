#include "sdbench/front/commands/quality_text.h"

#include <optional>

#include "sdbench/base/weights/locate.h"
#include "sdbench/front/quality/image_metrics.h"
#include "sdbench/front/quality/study_figures.h"
#include "sdbench/front/quality/study_plan.h"

#include "catch.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

CandidateResult candidate_with(double psnr, double similarity) {
  CandidateResult result;
  result.record.status = "ok";
  ImageFigures figures;
  figures.pixels = {1, 0.001, 7};
  figures.psnr_db = psnr;
  figures.ssim = similarity;
  figures.latents_nmse_by_step = {0.001, 0.5, 0.25};
  result.images = {figures, ImageFigures{}}; // the second one is identical
  result.images[1].latents_nmse_by_step = {0, 0, 0};
  const PictureFigures same{{}, psnr_db(0), 1};
  result.images[0].pictures_by_step = {std::nullopt, same, figures};
  result.images[1].pictures_by_step = {std::nullopt, same, same};
  return result;
}

} // namespace

TEST_CASE("a limit is for the worst image, and an identical one keeps it") {
  const CandidateResult result = candidate_with(30, 0.9);
  CHECK(missed_limits(result, {}).empty());
  CHECK(missed_limits(result, {30, 0.9}).empty());
  CHECK(missed_limits(result, {30.5, {}}) == "PSNR 30.00 dB is under --min-psnr 30.5");
  CHECK(missed_limits(result, {31, 0.95}) ==
        "PSNR 30.00 dB is under --min-psnr 31, SSIM 0.9000 is under --min-ssim 0.95");
  CandidateResult identical;
  identical.images.resize(1);
  CHECK(missed_limits(identical, {1000, 1}).empty());
  CHECK(missed_limits({}, {1000, 1}).empty()); // failures are reported elsewhere
}

TEST_CASE("a study's table has a line for each candidate, and how errors grow in the steps") {
  Study study;
  study.reference.words = "fp32";
  study.reference.cell.steps = 3;
  study.reference.cell.model.name = "tiny";
  StudyCell good;
  good.words = "bf16";
  StudyCell bad;
  bad.words = "fp16";
  study.candidates = {good, bad};
  StudyResult result;
  result.candidates = {candidate_with(30, 0.9), {}};
  result.candidates[1].record.status = "oom_device";
  result.candidates[1].record.error = "no room";
  const std::string text = quality_text(study, result);
  CHECK_THAT(text, ContainsSubstring("reference  fp32, 3 steps\n"));
  CHECK_THAT(text, ContainsSubstring("NUMERICS, NOT PICTURES"));
  CHECK_THAT(text, ContainsSubstring("bf16       30.0 dB     30.0 dB  0.9500     0.9000"));
  CHECK_THAT(text, ContainsSubstring("7 of 255"));
  CHECK_THAT(text, ContainsSubstring("fp16       oom_device\n"));
  CHECK_THAT(text, ContainsSubstring("\nfp16: oom_device: no room\n"));
  CHECK_THAT(text, ContainsSubstring("5.0e-04  2.5e-01  1.2e-01  step 2"));
  CHECK_THAT(text, ContainsSubstring("\n\nimages' mean PSNR after step\n"
                                     "candidate  1     2          3\n"
                                     "bf16       none  identical  30.0 dB\n"));
  CHECK_THAT(text, ContainsSubstring("\n\nimages' mean SSIM after step\n"
                                     "candidate  1     2      3\n"
                                     "bf16       none  1.000  0.9500\n"));
  for (const std::size_t width : {20, 40, 80}) { // at 20, columns become lines
    const std::string narrow = quality_text(study, result, {.width = width});
    INFO(narrow);
    for (const char* title : {"latents' NMSE after step\n", "images' mean PSNR after step\n",
                              "images' mean SSIM after step\n"}) {
      CHECK_THAT(narrow, ContainsSubstring(title));
    }
  }
  study.reference.cell.weights.kind = WeightsLocation::Kind::kFolder;
  CHECK_THAT(quality_text(study, result), !ContainsSubstring("NOT PICTURES"));
  for (ImageFigures& image : result.candidates[0].images) {
    image.pictures_by_step.clear();
  }
  CHECK_THAT(quality_text(study, result), !ContainsSubstring("PSNR after step"));
}

TEST_CASE("a reference whose words tell its steps has them once") {
  Study study;
  study.reference.cell.steps = 8;
  study.candidates.resize(1);
  for (const char* words : {"fp32", "fp32, 8 steps", "fp32, 8 steps, batch 2"}) {
    study.reference.words = words;
    const std::string text = quality_text(study, {});
    INFO(text);
    const std::size_t first = text.find("8 steps");
    CHECK(first != std::string::npos);
    CHECK(text.find("8 steps", first + 1) == std::string::npos);
  }
}

TEST_CASE("a candidate that the user has interrupted needs no reason") {
  Study study;
  study.candidates.resize(1);
  study.candidates[0].words = "bf16";
  StudyResult result;
  result.candidates.resize(1);
  result.candidates[0].record.status = "interrupted";
  result.candidates[0].record.error = "interrupted during stage measure";
  CHECK_THAT(quality_text(study, result), !ContainsSubstring("during stage"));
}
