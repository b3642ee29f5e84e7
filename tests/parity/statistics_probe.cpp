// The statistics for test_statistics.py. Each line of stdin is a JSON list of samples, each line of
// stdout the figures of it; an absent one is null.
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/front/record/student_t.h"
#include "sdbench/front/record/trend.h"

namespace {

using namespace sdbench;

Json figure(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json figures_of(const std::vector<double>& samples) {
  Json percentiles = Json::array();
  for (const double percent : {0.0, 25.0, 50.0, 90.0, 99.0, 100.0}) {
    percentiles.push_back(figure(percentile(samples, percent)));
  }
  const auto trend = rising_trend(samples);
  return {{"mean", figure(mean(samples))},
          {"sd", figure(sample_sd(samples))},
          {"rse", figure(relative_standard_error(samples))},
          {"percentiles", percentiles},
          {"half_width", figure(ci95_half_width(samples))},
          {"outliers", count_outliers(samples)},
          {"mann_kendall_p", mann_kendall_p(samples)},
          {"theil_sen", theil_sen_slope(samples)},
          {"change", trend ? Json(trend->change) : Json()},
          {"change_p", trend ? Json(trend->p_value) : Json()}};
}

} // namespace

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << figures_of(Json::parse(line).get<std::vector<double>>()).dump() << std::endl;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "statistics_probe: %s\n", error.what());
    return 1;
  }
  return 0;
}
