#include "sdbench/report/published_fit.h"

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The VGG16 rows of the article, as they were published.
constexpr const char* kRows = "gpu,framework,precision,model,eval_ms,train_ms,tflops_fp32\n"
                              "Titan V,PyTorch 0.3,fp32,vgg16,31.3,108.8,14.90\n"
                              "GTX 1080 Ti,PyTorch 0.3,fp32,vgg16,39.3,131.9,11.34\n"
                              "V100,PyTorch 0.3,fp32,vgg16,26.2,83.5,15.67\n"
                              "RTX 2080 Ti,PyTorch 0.3,fp32,vgg16,30.5,102.9,13.45\n"
                              "Tesla T4,PyTorch 1.12,fp32,vgg16,72.4,223.6,8.14\n"
                              "RTX 3060,PyTorch 1.12,fp32,vgg16,45.6,146.9,12.74\n"
                              "RTX 3060,PyTorch 1.12,fp16,vgg16,33.4,112.0,12.74\n"
                              "MX250,PyTorch 1.12,fp16,vgg16,3147.2,10344.4,1.22\n";

} // namespace

TEST_CASE("the published VGG16 rows give an R² of 0.986 for eval and train, without the MX250") {
  const test::ScratchFolder folder;
  const auto fits = published_speed_fits(folder.write("egpu-2022.csv", kRows));
  REQUIRE(fits.size() == 2);
  for (const SpeedFit& fit : fits) {
    INFO(fit.group);
    CHECK(fit.published);
    CHECK(fit.points.size() == 8);
    CHECK(fit.points.back().left_out);
    REQUIRE(fit.fit);
    CHECK(fit.fit->count == 7);
    CHECK(fit.fit->r_squared == Approx(0.986).margin(0.0005));
    CHECK_THAT(fit.note, ContainsSubstring("MX250 is left out"));
  }
  CHECK(fits[0].group == "vgg16, eval");
  CHECK(fits[1].group == "vgg16, train");
}

TEST_CASE("remarks before the header are passed over, a file without the columns gives no fit") {
  const test::ScratchFolder folder;
  CHECK(published_speed_fits(folder.write("a.csv", "# where it is from\n" + std::string(kRows)))
            .size() == 2);
  CHECK(published_speed_fits(folder.write("b.csv", "gpu,eval_ms\nV100,26.2\n")).empty());
  CHECK(published_speed_fits(folder.path() / "none.csv").empty());
}
