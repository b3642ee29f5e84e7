#include "sdbench/front/record/student_t.h"

#include <utility>
#include <vector>

#include "catch.h"

using namespace sdbench;

TEST_CASE("Student's t is that of the printed tables") {
  // two-sided 95 %: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2
  const std::pair<int, double> rows[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},
                                         {9, 2.262},  {10, 2.228}, {29, 2.045}, {100, 1.984}};
  for (const auto& [degrees, t] : rows) {
    INFO(degrees);
    CHECK(student_t(0.95, degrees) == Approx(t).margin(0.0005));
  }
}

TEST_CASE("Student's t where it has a closed form") {
  CHECK(student_t(0.5, 1) == Approx(1).epsilon(1e-12));                 // Cauchy's quartile
  CHECK(student_t(0.8, 2) == Approx(1.885618083164127).epsilon(1e-12)); // 4/3 * sqrt(2)
  CHECK(student_t(0.95, 1'000'000) == Approx(1.959966).epsilon(1e-6));  // the normal's 1.959964
}

TEST_CASE("the interval of a mean is t standard errors wide on each side, from two samples on") {
  CHECK_FALSE(ci95_half_width(std::vector<double>{}));
  CHECK_FALSE(ci95_half_width(std::vector<double>{1}));
  CHECK(ci95_half_width(std::vector<double>{1, 3}) == Approx(12.706204736174698)); // sd sqrt(2)
  CHECK(ci95_half_width(std::vector<double>{2, 2, 2}) == 0.0);
}
