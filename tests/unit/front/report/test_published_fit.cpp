#include "sdbench/front/report/published_fit.h"

#include <algorithm>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/config/install_paths.h"

using namespace sdbench;

namespace {

std::vector<SpeedFit> fits_with(const Facts& facts) {
  return published_speed_fits(share_folder() / "published" / "egpu-2022.csv", facts);
}

const SpeedFit& fit_named(const std::vector<SpeedFit>& fits, const std::string& group,
                          const std::string& fact = "") {
  const auto found = std::ranges::find_if(
      fits, [&](const SpeedFit& fit) { return fit.group == group && fit.fact == fact; });
  REQUIRE(found != fits.end());
  return *found;
}

} // namespace

TEST_CASE("the published VGG16 rows of fp32 alone give an R² of 0.984 for inference and training") {
  const auto fits = fits_with({});
  for (const char* task : {"inference", "training"}) {
    const SpeedFit& fit = fit_named(fits, std::string("vgg16, ") + task + ", fp32");
    CHECK(fit.published);
    CHECK(fit.peak == "FP32");
    CHECK(fit.points.size() == 6);
    REQUIRE(fit.fit);
    CHECK(fit.fit->r_squared == Approx(0.984).margin(0.0005)); // numpy: 0.98389, 0.98392
  }
  CHECK(fit_named(fits, "vgg16, training, fp32").work ==
        "vgg16 train 224x224, batch 16, loss logit-sum");
}

TEST_CASE("published points of several precisions are in no one line") {
  const auto fits = fits_with({});
  CHECK(fits.size() == 12); // 3 networks, 2 tasks, 2 precisions
  for (const SpeedFit& fit : fits) {
    for (const SpeedPoint& point : fit.points) {
      const std::string precision = point.name.substr(point.name.rfind(' ') + 1);
      CHECK(fit.group.ends_with(", " + precision));
    }
  }
  const SpeedFit& half = fit_named(fits, "vgg16, inference, fp16");
  CHECK(half.points.size() == 1); // without the MX250, whose FP32 rate does not predict its fp16
  CHECK_FALSE(half.fit);
}

TEST_CASE("published points are fitted against facts of their cards, too") {
  const Facts facts{.columns = {"memory_gb_s"},
                    .cards = {{.gpu = "V100", .numbers = {{"memory_gb_s", 900}}},
                              {.gpu = "RTX 3060", .numbers = {{"memory_gb_s", 360}}},
                              {.gpu = "NVIDIA GeForce MX250", .numbers = {{"memory_gb_s", 48}}}}};
  const auto fits = fits_with(facts);
  const SpeedFit& fit = fit_named(fits, "vgg16, inference, fp32", "memory_gb_s");
  REQUIRE(fit.points.size() == 2);
  CHECK(fit.points[0].name == "V100 fp32");
  CHECK(fit.points[0].x == 900);
  CHECK(fit.points[0].per_s == Approx(1000 / 26.2));
  CHECK(fit.fit);
  CHECK(fit_named(fits, "vgg16, inference, fp16", "memory_gb_s").points.size() == 2);
}

TEST_CASE("a published file without the columns, or none at all, gives no fit") {
  const test::ScratchFolder folder;
  CHECK(published_speed_fits(folder.write("b.csv", "device,value\nV100,26.2\n"), {}).empty());
  CHECK(published_speed_fits(folder.path() / "none.csv", {}).empty());
}
