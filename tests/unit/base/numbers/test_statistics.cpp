#include "catch.h"

#include <vector>

#include "sdbench/base/numbers/statistics.h"

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

TEST_CASE("the standard error of a mean falls with the root of the samples") {
  CHECK(relative_standard_error(std::vector<double>{1, 3}) == Approx(0.5)); // sd sqrt(2), mean 2
  CHECK(relative_standard_error(std::vector<double>{4, 4, 4}) == 0.0);
  CHECK_FALSE(relative_standard_error(std::vector<double>{4}));
  CHECK_FALSE(relative_standard_error(std::vector<double>{-1, 1}));
  CHECK_FALSE(relative_standard_error(std::vector<double>{}));
}

TEST_CASE("an outlier is far from the median by its spread and by a twentieth of it") {
  const std::vector<double> steady(9, 1.0);
  const auto with = [&](double sample) {
    std::vector<double> samples = steady;
    samples.push_back(sample);
    return count_outliers(samples);
  };
  CHECK(count_outliers(steady) == 0);
  CHECK(with(1.04) == 0); // not a blink of a steady clock
  CHECK(with(1.06) == 1);
  CHECK(with(0.94) == 1);
  // Median 1, median deviation 0.1: the bound is 5 * 0.14826.
  const std::vector<double> spread{0.8, 0.9, 0.9, 1, 1, 1.1, 1.1, 1.2};
  CHECK(count_outliers(spread) == 0);
  std::vector<double> wild = spread;
  wild.push_back(1.7);
  CHECK(count_outliers(wild) == 0);
  wild.back() = 1.8;
  CHECK(count_outliers(wild) == 1);
}

TEST_CASE("of fewer than five samples none can be called an outlier") {
  CHECK(count_outliers(std::vector<double>{1, 1, 1, 100}) == 0);
  CHECK(count_outliers(std::vector<double>{1, 1, 1, 1, 100}) == 1);
}
