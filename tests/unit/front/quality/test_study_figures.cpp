#include "sdbench/front/quality/study_figures.h"

#include "catch.h"
#include "dump_file.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

namespace {

/// Compares two dumps that are made for it.
std::vector<ImageFigures> compared(const test::DumpPlan& candidate, const test::DumpPlan& reference,
                                   bool step_images = false) {
  const test::ScratchFolder folder;
  test::write_dump(folder.path() / "a", candidate);
  test::write_dump(folder.path() / "b", reference);
  return compare_runs(RunDump(folder.path() / "a"), RunDump(folder.path() / "b"), step_images);
}

} // namespace

TEST_CASE("a run compared with itself is identical in each image and each step") {
  test::DumpPlan plan;
  plan.images = 2;
  const auto figures = compared(plan, plan);
  REQUIRE(figures.size() == 2);
  for (const ImageFigures& image : figures) {
    CHECK(image.is_identical());
    CHECK(image.ssim == 1);
    CHECK(image.latents_nmse_by_step == std::vector<double>{0, 0});
  }
  const StudySummary summary = summary_of(figures);
  CHECK_FALSE(summary.psnr_db_mean);
  CHECK_FALSE(summary.psnr_db_min);
  CHECK(summary.ssim_min == 1);
}

TEST_CASE("errors are those of each image and of each step's latents") {
  test::DumpPlan reference;
  reference.images = 2;
  test::DumpPlan candidate = reference;
  candidate.pixel = [&](std::size_t i) { // only the second image differs
    return static_cast<std::uint8_t>(i < 192 || i % 3 != 0 ? reference.pixel(i)
                                                           : reference.pixel(i) ^ 2);
  };
  candidate.latent = [](std::int64_t step, std::size_t) { return step == 1 ? 1.5F : 1.25F; };
  const auto figures = compared(candidate, reference);
  CHECK(figures[0].is_identical());
  CHECK_FALSE(figures[1].is_identical());
  CHECK(figures[1].pixels.max_error == 2);
  CHECK(figures[1].pixels.mse == Approx(4.0 / 3));
  CHECK(figures[0].latents.max_error == 0.25);
  CHECK(figures[0].latents_nmse_by_step == std::vector<double>{0.25, 0.0625});
  CHECK(figures[0].latents_max_error_by_step == std::vector<double>{0.5, 0.25});
  const StudySummary summary = summary_of(figures);
  CHECK(summary.psnr_db_mean == figures[1].psnr_db); // the mean ignores infinite ones
  CHECK(summary.ssim_min == figures[1].ssim);
  CHECK(summary.ssim_mean == Approx((1 + figures[1].ssim) / 2));
  CHECK(summary.latents_nmse_by_step == std::vector<double>{0.25, 0.0625});
}

TEST_CASE("images after each step are compared as the final ones are, which the last step's are") {
  test::DumpPlan reference;
  reference.images = 2;
  reference.steps = 3;
  reference.step_pixel = [](std::int64_t step, std::size_t i) {
    return static_cast<std::uint8_t>(i * 5 % 199 + static_cast<std::size_t>(step));
  };
  test::DumpPlan candidate = reference;
  candidate.pixel = [&](std::size_t i) {
    return static_cast<std::uint8_t>(reference.pixel(i) ^ 1);
  };
  candidate.step_pixel = [&](std::int64_t step, std::size_t i) {
    const std::uint8_t wanted = reference.step_pixel(step, i);
    return static_cast<std::uint8_t>(step == 1 ? wanted : wanted + 3);
  };
  const auto figures = compared(candidate, reference, true);
  for (const ImageFigures& image : figures) {
    REQUIRE(image.pictures_by_step.size() == 3);
    CHECK(image.pictures_by_step[0]->is_identical());
    CHECK(image.pictures_by_step[1]->pixels.mse == 9);
    CHECK(image.pictures_by_step[1]->pixels.max_error == 3);
    CHECK(image.pictures_by_step[1]->psnr_db == psnr_db(9));
    CHECK(image.pictures_by_step[1]->ssim < 1);
    CHECK(image.pictures_by_step[2]->psnr_db == image.psnr_db);
    CHECK(image.pictures_by_step[2]->ssim == image.ssim);
    CHECK(image.pictures_by_step[2]->pixels.nmse == image.pixels.nmse);
  }
  const StudySummary summary = summary_of(figures);
  REQUIRE(summary.pictures_by_step.size() == 3);
  CHECK_FALSE(summary.pictures_by_step[0].psnr_db);
  CHECK(summary.pictures_by_step[0].ssim == 1);
  CHECK(summary.pictures_by_step[1].psnr_db == psnr_db(9));
  CHECK(compared(candidate, reference, false)[0].pictures_by_step.empty());
}

TEST_CASE("a step without an image has no figures, and those of the others keep their places") {
  test::DumpPlan reference;
  reference.steps = 3;
  reference.step_pixel = [](std::int64_t, std::size_t i) { return static_cast<std::uint8_t>(i); };
  test::DumpPlan candidate = reference;
  candidate.step_pixel = nullptr;
  const test::ScratchFolder folder;
  test::write_dump(folder.path() / "a", candidate);
  candidate.step_pixel = reference.step_pixel;
  test::write_step_file(folder.path() / "a", candidate, 2);
  test::write_dump(folder.path() / "b", reference);
  const auto figures =
      compare_runs(RunDump(folder.path() / "a"), RunDump(folder.path() / "b"), true);
  REQUIRE(figures[0].pictures_by_step.size() == 3);
  CHECK_FALSE(figures[0].pictures_by_step[0]);
  CHECK(figures[0].pictures_by_step[1]);
  CHECK(figures[0].pictures_by_step[2]);
  CHECK_FALSE(summary_of(figures).pictures_by_step[0].ssim);
}

TEST_CASE("images after a step must be as large as the final ones") {
  test::DumpPlan plan;
  plan.step_pixel = [](std::int64_t, std::size_t) { return std::uint8_t{1}; };
  const test::ScratchFolder folder;
  test::write_dump(folder.path() / "a", plan);
  plan.width = 16;
  test::write_step_file(folder.path() / "a", plan, 1);
  CHECK_THROWS_WITH(RunDump(folder.path() / "a"),
                    Catch::Matchers::ContainsSubstring("as many images as the final file"));
}

TEST_CASE("the steps that people are shown are the first, the last and one at each quarter") {
  CHECK(shown_steps(50) == std::set<std::int64_t>{1, 12, 25, 37, 50});
  CHECK(shown_steps(2) == std::set<std::int64_t>{1, 2});
  CHECK(shown_steps(1) == std::set<std::int64_t>{1});
}

TEST_CASE("runs with other step counts are compared by their ends alone") {
  test::DumpPlan reference;
  test::DumpPlan candidate;
  candidate.steps = 3;
  candidate.latent = [](std::int64_t step, std::size_t) { return step == 3 ? 2.0F : 9.0F; };
  const auto figures = compared(candidate, reference, true);
  CHECK(figures[0].latents_nmse_by_step.empty());
  CHECK(figures[0].pictures_by_step.empty());
  CHECK(figures[0].latents.nmse == 1);
  CHECK(summary_of(figures).latents_nmse_by_step.empty());
}

TEST_CASE("runs of other sizes or counts are not compared") {
  const test::DumpPlan reference;
  test::DumpPlan wider;
  wider.width = 16;
  CHECK_THROWS_WITH(compared(wider, reference),
                    "images must be as many and as large as the reference's (1 of 8x8), but are 1 "
                    "of 16x8");
  test::DumpPlan more;
  more.images = 2;
  CHECK_THROWS_AS(compared(more, reference), Error);
}

TEST_CASE("the steepest step is the one in which the error grows most") {
  CHECK(steepest_step(std::vector<double>{1, 2, 5, 6}) == 3);
  CHECK(steepest_step(std::vector<double>{3, 2, 4}) == 1);
  CHECK_FALSE(steepest_step(std::vector<double>{0, 0}));
  CHECK_FALSE(steepest_step(std::vector<double>{}));
}

TEST_CASE("the record of a quality has ids and status, and nothing that a clock measured") {
  const RunRecord measured = test::full_record();
  const RunRecord record = quality_record(measured, "fp32");
  CHECK(record.quality_reference == "fp32");
  CHECK(record.cell_id == measured.cell_id);
  CHECK(record.status == "ok");
  CHECK_FALSE(record.load_s);
  CHECK_FALSE(record.first_image_s);
  CHECK_FALSE(record.first_image);
  CHECK_FALSE(record.unet_it_s);
  CHECK_FALSE(record.peak_host_bytes);
}
