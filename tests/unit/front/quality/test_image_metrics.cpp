#include "sdbench/front/quality/image_metrics.h"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

namespace {

std::vector<std::uint8_t> flat_image(std::int64_t pixels, std::uint8_t value) {
  return std::vector<std::uint8_t>(static_cast<std::size_t>(3 * pixels), value);
}

} // namespace

TEST_CASE("differences of numbers are those one counts by hand") {
  const std::vector<float> reference = {1, 2, -2, 4};
  const std::vector<float> numbers = {1, 3, -2, 1};
  const Difference found = difference(numbers, reference);
  CHECK(found.mse == 10.0 / 4);
  CHECK(found.nmse == 10.0 / 25);
  CHECK(found.max_error == 3);
  const Difference none = difference(reference, reference);
  CHECK(none.mse == 0);
  CHECK(none.nmse == 0);
  const std::vector<float> zeros(4);
  CHECK(difference(zeros, zeros).nmse == 0);
  CHECK(difference(numbers, zeros).nmse == HUGE_VAL);
}

TEST_CASE("a NaN among numbers is seen in each figure") {
  const std::vector<float> reference = {1, 2};
  const std::vector<float> numbers = {1, std::numeric_limits<float>::quiet_NaN()};
  const Difference found = difference(numbers, reference);
  CHECK(std::isnan(found.mse));
  CHECK(std::isnan(found.nmse));
  CHECK(std::isnan(found.max_error));
}

TEST_CASE("differences of 8-bit numbers do not wrap around") {
  const std::vector<std::uint8_t> low = {0, 255};
  const std::vector<std::uint8_t> high = {255, 0};
  CHECK(difference(low, high).max_error == 255);
  CHECK(psnr_db(difference(low, high).mse) == 0);
}

TEST_CASE("PSNR is infinite for equal images and falls 6 dB as the error doubles") {
  CHECK(psnr_db(0) == HUGE_VAL);
  CHECK(std::abs(psnr_db(1) - 48.1308) < 1e-4);
  CHECK(std::abs(psnr_db(1) - psnr_db(4) - 6.0206) < 1e-4);
}

TEST_CASE("SSIM is exactly one for equal images and the luminance term alone for flat ones") {
  std::vector<std::uint8_t> picture = flat_image(9 * 8, 0);
  for (std::size_t i = 0; i < picture.size(); ++i) {
    picture[i] = static_cast<std::uint8_t>(i * i % 251);
  }
  CHECK(ssim({picture, 9, 8}, {picture, 9, 8}) == 1);
  const auto dark = flat_image(49, 50);
  const auto light = flat_image(49, 100);
  const double c1 = 2.55 * 2.55;
  const double wanted = (2 * 50 * 100 + c1) / (50 * 50 + 100 * 100 + c1);
  CHECK(std::abs(ssim({dark, 7, 7}, {light, 7, 7}) - wanted) < 1e-12);
}

TEST_CASE("images of different or too small sizes are not compared") {
  const auto image = flat_image(64, 1);
  CHECK_THROWS_WITH(ssim({image, 8, 8}, {image, 16, 4}),
                    "images must be of one size to be compared, but are 8x8 and 16x4");
  CHECK_THROWS_WITH(ssim({image, 16, 4}, {image, 16, 4}),
                    "images must have sides of at least 7 pixels for SSIM, but are 16x4");
  const std::vector<float> three(3);
  const std::vector<float> four(4);
  CHECK_THROWS_AS(difference(three, four), Error);
  CHECK_THROWS_AS(difference(std::vector<float>(), std::vector<float>()), Error);
}
