#include "sdbench/quality/study_figures.h"

#include "catch.h"
#include "dump_file.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"

using namespace sdbench;

namespace {

/// Compares two dumps that are made for it.
std::vector<ImageFigures> compared(const test::DumpPlan& candidate,
                                   const test::DumpPlan& reference) {
  const test::ScratchFolder folder;
  test::write_dump(folder.path() / "a", candidate);
  test::write_dump(folder.path() / "b", reference);
  return compare_runs(RunDump(folder.path() / "a"), RunDump(folder.path() / "b"));
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
  candidate.pixel = [&](std::size_t i) { // the second image alone
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
  CHECK(summary.psnr_db_mean == figures[1].psnr_db); // an infinite one makes no mean
  CHECK(summary.ssim_min == figures[1].ssim);
  CHECK(summary.ssim_mean == Approx((1 + figures[1].ssim) / 2));
  CHECK(summary.latents_nmse_by_step == std::vector<double>{0.25, 0.0625});
}

TEST_CASE("runs with other step counts are compared by their ends alone") {
  test::DumpPlan reference;
  test::DumpPlan candidate;
  candidate.steps = 3;
  candidate.latent = [](std::int64_t step, std::size_t) { return step == 3 ? 2.0F : 9.0F; };
  const auto figures = compared(candidate, reference);
  CHECK(figures[0].latents_nmse_by_step.empty());
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
