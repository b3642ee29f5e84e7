#include "catch.h"

#include <vector>

#include "sdbench/core/statistics.h"

using namespace sdbench;

TEST_CASE("no samples have no statistics") {
  const std::vector<double> none;
  CHECK_FALSE(mean(none).has_value());
  CHECK_FALSE(sample_sd(none).has_value());
  CHECK_FALSE(median(none).has_value());
  CHECK_FALSE(percentile(none, 90).has_value());
}

TEST_CASE("one sample has a mean and percentiles but no spread") {
  const std::vector<double> one{0.25};
  CHECK(mean(one) == 0.25);
  CHECK_FALSE(sample_sd(one).has_value());
  CHECK(median(one) == 0.25);
  CHECK(percentile(one, 99) == 0.25);
}

TEST_CASE("the standard deviation divides by n - 1") {
  CHECK(sample_sd(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9}) == Approx(2.138089935299395));
  CHECK(sample_sd(std::vector<double>{1, 3}) == Approx(1.4142135623730951));
}

TEST_CASE("a small spread beside a large mean is kept") {
  CHECK(sample_sd(std::vector<double>{1e9, 1e9 + 1, 1e9 + 2}) == Approx(1.0).epsilon(1e-9));
}

TEST_CASE(
    "percentiles interpolate linearly between order statistics and do not depend on the order") {
  const std::vector<double> samples{4, 1, 3, 2};
  CHECK(median(samples) == 2.5);
  CHECK(percentile(samples, 0) == 1.0);
  CHECK(percentile(samples, 25) == 1.75);
  CHECK(percentile(samples, 90) == Approx(3.7));
  CHECK(percentile(samples, 100) == 4.0);
}

TEST_CASE("percentages out of range mean the ends") {
  const std::vector<double> samples{1, 2};
  CHECK(percentile(samples, -5) == 1.0);
  CHECK(percentile(samples, 250) == 2.0);
}
