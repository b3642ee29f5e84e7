#include "sdbench/front/trend/change_points.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include "catch.h"

using namespace sdbench;

namespace {

/// Nights whose times spread by 1 % (normally distributed logarithms). One in fifty is slower by 5
/// to 15 %, as beside a different program. `correlation` is that of each night with the one before.
class MadeUpNights {
public:
  explicit MadeUpNights(unsigned seed, double correlation = 0)
      : random_(seed), correlation_(correlation) {}

  /// Uses only the generator's bits, because libraries draw from distributions in different ways.
  [[nodiscard]] std::vector<double> series(std::size_t nights, double spread = 0.01,
                                           double slow_nights = 0.02) {
    std::vector<double> values;
    for (std::size_t night = 0; night < nights; ++night) {
      last_ = correlation_ * last_ + std::sqrt(1 - correlation_ * correlation_) * normal();
      const double usual = std::exp(spread * last_);
      const bool is_slow = uniform() < slow_nights;
      values.push_back(usual * (is_slow ? 1.05 + 0.1 * uniform() : 1));
    }
    return values;
  }

private:
  double uniform() { return (static_cast<double>(random_()) + 0.5) / 4294967296.0; }
  /// A normally distributed number, by the method of Box and Muller.
  double normal() {
    constexpr double kTwoPi = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(kTwoPi * uniform());
  }

  std::mt19937 random_;
  double correlation_;
  double last_ = 0;
};

constexpr std::size_t kBefore = 20;

/// The first nights of levels, if all nights from kBefore on take `factor` times as long.
std::vector<std::size_t> starts_of(std::vector<double> values, double factor) {
  for (std::size_t night = kBefore; night < values.size(); ++night) {
    values[night] *= factor;
  }
  return levels_of(values).starts;
}

/// True if these nights show a change at the night kBefore. An odd night before it may be taken for
/// the first of the change.
bool is_found(std::vector<double> values, double factor) {
  const std::size_t last = starts_of(std::move(values), factor).back();
  return last > 0 && last + 2 >= kBefore;
}

double percent_of_false_alarms(MadeUpNights made_up, std::size_t series, double spread) {
  std::size_t alarms = 0;
  for (std::size_t i = 0; i < series; ++i) {
    alarms += levels_of(made_up.series(60, spread)).starts.size() > 1 ? 1 : 0;
  }
  return 100 * static_cast<double>(alarms) / static_cast<double>(series);
}

/// Percentage of changes after kBefore nights that three nights show.
double percent_found(MadeUpNights made_up, std::size_t series, double spread, double factor) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < series; ++i) {
    std::vector<double> values = made_up.series(kBefore, spread);
    const std::vector<double> after = made_up.series(kNightsThatProve, spread, 0);
    values.insert(values.end(), after.begin(), after.end());
    found += is_found(std::move(values), factor) ? 1 : 0;
  }
  return 100 * static_cast<double>(found) / static_cast<double>(series);
}

/// Percentage of series of `nights` without slow ones whose only change is dated to its first
/// night.
double percent_dated(MadeUpNights made_up, std::size_t series, double spread, double factor,
                     std::size_t nights) {
  std::size_t dated = 0;
  for (std::size_t i = 0; i < series; ++i) {
    const auto starts = starts_of(made_up.series(nights, spread, 0), factor);
    dated += starts == std::vector<std::size_t>{0, kBefore} ? 1 : 0;
  }
  return 100 * static_cast<double>(dated) / static_cast<double>(series);
}

} // namespace

TEST_CASE("quiet nights with a slow one now and then give few false alarms") {
  for (const double spread : {0.005, 0.01}) {
    CHECK(percent_of_false_alarms(MadeUpNights(2026), 200, spread) <= 5);
  }
}

TEST_CASE("a change of 4 % after 20 nights is found within three nights, slower or faster") {
  for (const auto& [spread, least] : {std::pair(0.005, 99.5), std::pair(0.01, 92.0)}) {
    for (const double factor : {1.04, 1 / 1.04}) {
      INFO("spread " << spread << ", factor " << factor);
      CHECK(percent_found(MadeUpNights(4), 1000, spread, factor) >= least);
    }
  }
}

TEST_CASE("a change of 4 % is dated to its very night, by three nights and by six") {
  for (const std::size_t after : {3U, 6U}) {
    for (const double factor : {1.04, 1 / 1.04}) {
      INFO(after << " nights, factor " << factor);
      CHECK(percent_dated(MadeUpNights(4), 200, 0.005, factor, kBefore + after) >= 97.5);
    }
  }
}

// front_tests "[simulation]" prints the figures of docs/trend.md, in a few seconds.
TEST_CASE("the rates of false alarms and of changes found", "[.simulation]") {
  constexpr std::size_t kSeries = 5000;
  std::printf("nights  correlation  false alarms in 60 nights  4 %% slower found  faster found  "
              "dated exactly, by 3 nights  by 6\n");
  for (const double correlation : {0.0, 0.3}) {
    for (const double spread : {0.005, 0.007, 0.01}) {
      const MadeUpNights made_up(2026, correlation);
      std::printf("%4.1f %%  %11.1f  %23.1f %%  %15.1f %%  %10.1f %%  %24.1f %%  %4.1f %%\n",
                  100 * spread, correlation, percent_of_false_alarms(made_up, kSeries, spread),
                  percent_found(made_up, kSeries, spread, 1.04),
                  percent_found(made_up, kSeries, spread, 1 / 1.04),
                  percent_dated(made_up, kSeries, spread, 1.04, kBefore + 3),
                  percent_dated(made_up, kSeries, spread, 1.04, kBefore + 6));
    }
  }
}

TEST_CASE("a change is dated to its first night, and its baseline is that of the nights before") {
  std::vector<double> values;
  for (int night = 0; night < 26; ++night) {
    values.push_back((night < 20 ? 1.0 : 1.04) * (1 + 0.004 * (night % 3 - 1)));
  }
  const Levels levels = levels_of(values);
  CHECK(levels.starts == std::vector<std::size_t>{0, 20});
  CHECK(*levels.nights[20].baseline == Approx(1.0).epsilon(0.005));
  CHECK(*levels.nights[22].baseline == Approx(1.0).epsilon(0.005));
  CHECK(*levels.nights[25].baseline == Approx(1.04).epsilon(0.005));
  CHECK_FALSE(levels.nights[2].baseline);
  CHECK(*levels.spread < 0.01);
}

TEST_CASE("one odd night, and two, decide nothing; three do") {
  for (const std::size_t odd : {1U, 2U, 3U}) {
    std::vector<double> values;
    for (std::size_t night = 0; night < 30; ++night) {
      const bool is_odd = night >= 20 && night < 20 + odd;
      values.push_back((1 + 0.004 * (static_cast<double>(night % 3) - 1)) * (is_odd ? 1.3 : 1));
    }
    const Levels levels = levels_of(values);
    CHECK((levels.starts.size() > 1) == (odd == 3));
    CHECK((odd == 3 || levels.nights[20].is_odd));
    CHECK_FALSE(levels.nights[19].is_odd);
  }
}

TEST_CASE("a change back is found as the change was") {
  std::vector<double> values;
  for (int night = 0; night < 40; ++night) {
    values.push_back((night >= 20 && night < 27 ? 1.06 : 1.0) * (1 + 0.004 * (night % 3 - 1)));
  }
  CHECK(levels_of(values).starts == std::vector<std::size_t>{0, 20, 27});
}

TEST_CASE("a gap below 1 % is no change, however still the nights are") {
  std::vector<double> values(20, 1.0);
  values.resize(40, 1.009);
  CHECK(levels_of(values).starts.size() == 1);
  values.resize(20);
  values.resize(40, 1.011);
  CHECK(levels_of(values).starts == std::vector<std::size_t>{0, 20});
}

TEST_CASE("few nights have no change, no spread and no baseline") {
  CHECK(levels_of({}).nights.empty());
  const std::vector<double> six = {1, 1, 1, 2, 2, 2};
  const Levels levels = levels_of(six);
  CHECK(levels.starts.size() == 1);
  CHECK_FALSE(levels.spread);
  CHECK_FALSE(levels.nights[2].baseline);
  CHECK(levels.nights[3].baseline == 1.0);
}
