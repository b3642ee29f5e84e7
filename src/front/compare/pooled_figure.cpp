#include "sdbench/front/compare/pooled_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/between_runs.h"
#include "sdbench/front/record/student_t.h"

namespace sdbench {
namespace {

/// Places of rows, by session. Rows without a session form one session.
using Sessions = std::vector<std::vector<std::size_t>>;

Sessions sessions_of(std::span<const RowFigure> rows) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_session;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    by_session[rows[row].session].push_back(row);
  }
  return mapped(by_session, [](const auto& session) { return session.second; });
}

/// Counts starts. Rows of one session with the same restart number share a start; rows without a
/// session count as one start each.
std::size_t count_starts(std::span<const RowFigure> rows) {
  std::set<std::pair<std::uint32_t, std::int64_t>> starts;
  std::size_t silent = 0;
  for (const RowFigure& row : rows) {
    if (row.session == 0) {
      ++silent;
    } else {
      starts.emplace(row.session, row.restart);
    }
  }
  return starts.size() + silent;
}

/// The weight of each row in the mean of the sessions' means. The weights sum to 1.
std::vector<double> weights_of(const Sessions& sessions, std::size_t rows) {
  std::vector<double> weights(rows);
  for (const std::vector<std::size_t>& places : sessions) {
    for (const std::size_t row : places) {
      weights[row] = 1 / static_cast<double>(sessions.size() * places.size());
    }
  }
  return weights;
}

/// Fills in the spread within rows. Assumes the same spread in all rows of one measurement, so that
/// a row of a single run has that of the others.
void fill_within(PooledFigure& pooled, std::span<const RowFigure> rows,
                 std::span<const double> weights) {
  double squares = 0;
  double shares = 0; // variance of the mean, as a multiple of a run's variance
  std::int64_t degrees = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowFigure& row = rows[i];
    pooled.runs += row.runs;
    shares += weights[i] * weights[i] / static_cast<double>(std::max<std::int64_t>(row.runs, 1));
    if (row.sd && row.runs > 1) {
      squares += static_cast<double>(row.runs - 1) * *row.sd * *row.sd;
      degrees += row.runs - 1;
    }
  }
  if (degrees == 0 || !std::isfinite(squares)) {
    return;
  }
  pooled.within_sd = std::sqrt(squares / static_cast<double>(degrees));
  pooled.standard_error = *pooled.within_sd * std::sqrt(shares);
  pooled.degrees_of_freedom = degrees;
  pooled.within_half_width = pooled.half_width();
}

/// Replaces the standard error by the given one if that widens the interval.
void widen(PooledFigure& pooled, double standard_error, std::size_t count, IntervalBasis basis) {
  const auto degrees = static_cast<std::int64_t>(count) - 1;
  if (t95(degrees) * standard_error >= pooled.half_width().value_or(0)) {
    pooled.standard_error = standard_error;
    pooled.degrees_of_freedom = degrees;
    pooled.basis = basis;
  }
}

} // namespace

double t95(std::int64_t degrees_of_freedom) {
  constexpr double kConfidence = 0.95;
  constexpr std::size_t kUsual = 32; // looked up: most rows have few runs, and files many rows
  static const auto usual = [] {
    std::array<double, kUsual> values{};
    for (std::size_t degrees = 1; degrees < kUsual; ++degrees) {
      values[degrees] = student_t(kConfidence, static_cast<std::int64_t>(degrees));
    }
    return values;
  }();
  const auto place = static_cast<std::size_t>(degrees_of_freedom);
  return place < kUsual ? usual[place] : student_t(kConfidence, degrees_of_freedom);
}

PooledFigure pool_figures(std::span<const RowFigure> rows) {
  const Sessions sessions = sessions_of(rows);
  const std::vector<double> weights = weights_of(sessions, rows.size());
  PooledFigure pooled;
  const std::vector<double> means = mapped(rows, &RowFigure::mean);
  const std::vector<double> means_of_sessions = mapped(sessions, [&](const auto& places) {
    return mean(mapped(places, [&](std::size_t row) { return means[row]; })).value_or(0);
  });
  const bool says_sessions = std::ranges::any_of(rows, [](auto& row) { return row.session != 0; });
  pooled.rows = rows.size();
  pooled.starts = count_starts(rows);
  pooled.sessions = says_sessions ? sessions.size() : 0;
  pooled.mean = mean(means_of_sessions).value_or(0);
  pooled.between_sd = sample_sd(means);
  fill_within(pooled, rows, weights);
  if (rows.size() >= kRowsForBetweenRuns) {
    pooled.basis = IntervalBasis::kRunsOfRows;
    const double squares = std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
    widen(pooled, *pooled.between_sd * std::sqrt(squares), rows.size(), IntervalBasis::kRows);
  }
  if (sessions.size() > 1) {
    const auto count = static_cast<double>(sessions.size());
    widen(pooled, *sample_sd(means_of_sessions) / std::sqrt(count), sessions.size(),
          IntervalBasis::kSessions);
  }
  return pooled;
}

PooledFigure pool_units(std::span<const RowFigure> rows, IntervalBasis basis) {
  std::map<std::uint64_t, std::vector<RowFigure>> by_unit;
  for (const RowFigure& row : rows) {
    by_unit[row.unit].push_back(row);
  }
  const std::vector<PooledFigure> units =
      mapped(by_unit, [](const auto& unit) { return pool_figures(unit.second); });
  const std::vector<double> means = mapped(units, &PooledFigure::mean);
  PooledFigure pooled = pool_figures(rows);
  pooled.mean = mean(means).value_or(0);
  pooled.starts = 0; // the cards of one session were started one by one
  for (const PooledFigure& unit : units) {
    pooled.starts += unit.starts;
  }
  pooled.standard_error = sample_sd(means);
  if (pooled.standard_error) {
    *pooled.standard_error /= std::sqrt(static_cast<double>(units.size()));
  }
  pooled.degrees_of_freedom = static_cast<std::int64_t>(units.size()) - 1;
  pooled.basis = basis;
  return pooled;
}

std::optional<double> PooledFigure::half_width() const {
  return standard_error ? std::optional(t95(degrees_of_freedom) * *standard_error) : std::nullopt;
}

std::optional<Interval> PooledFigure::interval() const {
  const std::optional<double> half = half_width();
  return half && *half < mean ? std::optional(Interval{mean - *half, mean + *half}) : std::nullopt;
}

} // namespace sdbench
