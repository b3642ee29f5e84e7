#include "sdbench/front/report/speed_fit.h"

#include <array>
#include <cmath>
#include <limits>

#include "catch.h"

using namespace sdbench;

TEST_CASE("points on a line through the origin give its slope and an R² of one") {
  const std::array x = {1.0, 2.0, 5.0};
  const std::array y = {0.5, 1.0, 2.5};
  const auto fit = fit_through_origin(x, y);
  REQUIRE(fit);
  CHECK(fit->slope == Approx(0.5));
  CHECK(fit->r_squared == Approx(1));
  CHECK(fit->count == 3);
}

TEST_CASE("slope and uncentred R² are numpy's") {
  // numpy: s = (x@y)/(x@x); 1 - ((y - s*x)**2).sum()/(y**2).sum()
  const std::array x = {1.0, 2.0, 3.0, 4.0};
  const std::array y = {1.2, 1.9, 3.3, 3.7};
  const auto fit = fit_through_origin(x, y);
  REQUIRE(fit);
  CHECK(fit->slope == Approx(0.99).epsilon(1e-12));
  CHECK(fit->r_squared == Approx(0.992338845764428).epsilon(1e-12));
}

TEST_CASE("what gives no line gives no fit") {
  CHECK_FALSE(fit_through_origin({}, {}));
  CHECK_FALSE(fit_through_origin(std::array{1.0}, std::array{1.0}));
  CHECK_FALSE(fit_through_origin(std::array{0.0, 0.0}, std::array{1.0, 2.0}));
  CHECK_FALSE(fit_through_origin(std::array{1.0, 2.0}, std::array{0.0, 0.0}));
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK_FALSE(fit_through_origin(std::array{1.0, infinite}, std::array{1.0, 2.0}));
}
