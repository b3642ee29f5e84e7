#include "sdbench/front/compare/pooled_figure.h"

#include <cmath>
#include <vector>

#include "catch.h"

using namespace sdbench;

TEST_CASE("one row has the interval of its own runs") {
  const RowFigure row{2.0, 0.1, 4};
  const PooledFigure pooled = pool_figures({&row, 1});
  CHECK(pooled.mean == 2.0);
  CHECK(pooled.within_sd == Approx(0.1));
  CHECK_FALSE(pooled.between_sd.has_value());
  CHECK_FALSE(pooled.covers_starts());
  CHECK(pooled.standard_error == Approx(0.05));
  CHECK(*pooled.half_width() == Approx(3.182446 * 0.05).epsilon(1e-6)); // t for 3 degrees
}

TEST_CASE("every row counts once, however many runs it has") {
  const std::vector<RowFigure> rows = {{1.0, 0.1, 100}, {2.0, 0.1, 2}};
  const PooledFigure pooled = pool_figures(rows);
  CHECK(pooled.mean == Approx(1.5));
  CHECK(pooled.runs == 102);
  CHECK(*pooled.within_half_width == Approx(t95(100) * 0.1 * std::sqrt(0.01 + 0.5) / 2));
}

TEST_CASE("what lies between two rows is in their interval") {
  // 12 and 8 it/s, each steady within itself
  const std::vector<RowFigure> rows = {{1 / 12.0, 1e-5, 5}, {1 / 8.0, 1e-5, 5}};
  const PooledFigure pooled = pool_figures(rows);
  CHECK(pooled.covers_starts());
  CHECK(pooled.degrees_of_freedom == 1);
  CHECK(*pooled.half_width() == Approx(t95(1) * (1 / 8.0 - 1 / 12.0) / 2));
  CHECK_FALSE(pooled.interval().has_value()); // as wide as that
}

TEST_CASE("rows that lie closer together than their runs explain have the runs' interval") {
  const std::vector<RowFigure> rows = {{1.0, 0.1, 5}, {1.0, 0.1, 5}};
  const PooledFigure pooled = pool_figures(rows);
  CHECK(pooled.between_sd == 0.0);
  CHECK(pooled.covers_starts());
  CHECK(*pooled.half_width() == Approx(t95(8) * 0.1 * std::sqrt(0.4) / 2));
}

TEST_CASE("the interval of three rows is that of the spread between them") {
  const std::vector<RowFigure> rows = {{1.0, 0.001, 9}, {2.0, 0.001, 9}, {3.0, 0.001, 9}};
  const PooledFigure pooled = pool_figures(rows);
  CHECK(pooled.covers_starts());
  CHECK(pooled.between_sd == Approx(1.0));
  CHECK(pooled.within_sd == Approx(0.001));
  CHECK(pooled.standard_error == Approx(1 / std::sqrt(3.0)));
  CHECK(pooled.degrees_of_freedom == 2);
  CHECK_FALSE(pooled.interval().has_value()); // 4.30 * 0.577 reaches below zero
}

TEST_CASE("t is Student's for few and for many degrees of freedom") {
  CHECK(t95(1) == Approx(12.7062).epsilon(1e-5));
  CHECK(t95(31) == Approx(2.03951).epsilon(1e-5));
  CHECK(t95(32) == Approx(2.03693).epsilon(1e-5));
}

TEST_CASE("rows of single runs have an interval from two of them on") {
  const std::vector<RowFigure> rows = {{1.0, std::nullopt, 1}, {1.01, std::nullopt, 1}};
  CHECK_FALSE(pool_figures({rows.data(), 1}).half_width().has_value());
  CHECK(*pool_figures(rows).half_width() == Approx(t95(1) * 0.005));
}

TEST_CASE("every session counts once, and what lies between sessions is in the interval") {
  const std::vector<RowFigure> one = {{1.00, 1e-4, 5, 1}, {1.01, 1e-4, 5, 1}, {0.99, 1e-4, 5, 1}};
  CHECK(pool_figures(one).sessions == 1);
  CHECK(pool_figures(one).basis == IntervalBasis::kRows);
  std::vector<RowFigure> two = one;
  two.push_back({1.30, 1e-4, 5, 2}); // a slow session of a single start
  const PooledFigure pooled = pool_figures(two);
  CHECK(pooled.sessions == 2);
  CHECK(pooled.mean == Approx(1.15));
  CHECK(pooled.basis == IntervalBasis::kSessions);
  CHECK(pooled.degrees_of_freedom == 1);
  CHECK(*pooled.half_width() == Approx(t95(1) * 0.15));
}

TEST_CASE("rounds of one start count as one start, and rows without a session as one each") {
  const std::vector<RowFigure> rounds = {{1.00, 1e-4, 5, 1, 1}, {1.01, 1e-4, 5, 1, 1}};
  CHECK(pool_figures(rounds).starts == 1);
  CHECK_FALSE(pool_figures(rounds).covers_starts());
  const std::vector<RowFigure> rows = {{1.00, 1e-4, 5, 1, 1}, {1.01, 1e-4, 5, 1, 2},
                                       {1.02, 1e-4, 5, 2, 1}, {1.01, 1e-4, 5, 2, 1},
                                       {1.00, 1e-4, 5},       {0.99, 1e-4, 5}};
  CHECK(pool_figures(rows).starts == 5);
}

TEST_CASE("rows that do not say their session are no sign of one") {
  const std::vector<RowFigure> rows = {{1.00, 1e-4, 5}, {1.01, 1e-4, 5}};
  CHECK(pool_figures(rows).sessions == 0);
  CHECK(pool_figures(rows).basis == IntervalBasis::kRows);
}

TEST_CASE("each card counts once by its own mean, and the interval is between cards alone") {
  // three rows of card 1 in two sessions, one of card 2, one of card 3; all noisy within
  std::vector<RowFigure> rows = {
      {1.0, 0.5, 5, 7}, {1.2, 0.5, 5, 7}, {1.3, 0.5, 5, 8}, {2.0, 0.5, 5, 7}, {3.0, 0.5, 5, 7}};
  const std::vector<std::uint64_t> cards = {1, 1, 1, 2, 3};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].unit = cards[i];
  }
  const PooledFigure pooled = pool_units(rows, IntervalBasis::kCards);
  CHECK(pooled.mean == Approx(2.0667).epsilon(1e-4)); // 1.2, 2 and 3
  CHECK(pooled.standard_error == Approx(0.52068).epsilon(1e-4));
  CHECK(pooled.degrees_of_freedom == 2);
  CHECK(pooled.basis == IntervalBasis::kCards);
  CHECK(pooled.rows == 5);
  CHECK(pooled.sessions == 2);
  CHECK(pooled.starts == 4); // two of card 1, and one of each other card in the same session
  CHECK_FALSE(
      pool_units({rows.data(), 3}, IntervalBasis::kCards).half_width().has_value()); // one card
}
