#include "sdbench/front/compare/pooled_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sdbench/base/core/statistics.h"
#include "sdbench/base/core/student_t.h"
#include "sdbench/base/record/between_runs.h"

namespace sdbench {
namespace {

/// Rows of one measurement are taken to spread alike, so a row of a single run has the others'
/// spread.
void fill_within(PooledFigure& pooled, std::span<const RowFigure> rows) {
  double squares = 0;
  double shares = 0; // of the variance of one run in that of the mean
  std::int64_t degrees = 0;
  for (const RowFigure& row : rows) {
    pooled.runs += row.runs;
    shares += 1 / static_cast<double>(std::max<std::int64_t>(row.runs, 1));
    if (row.sd && row.runs > 1) {
      squares += static_cast<double>(row.runs - 1) * *row.sd * *row.sd;
      degrees += row.runs - 1;
    }
  }
  if (degrees == 0 || !std::isfinite(squares)) {
    return;
  }
  pooled.within_sd = std::sqrt(squares / static_cast<double>(degrees));
  pooled.standard_error = *pooled.within_sd * std::sqrt(shares) / static_cast<double>(rows.size());
  pooled.degrees_of_freedom = degrees;
  pooled.within_half_width = pooled.half_width();
}

void fill_between(PooledFigure& pooled) {
  const auto count = static_cast<std::int64_t>(pooled.rows);
  const double standard_error = *pooled.between_sd / std::sqrt(static_cast<double>(count));
  pooled.basis = IntervalBasis::kRunsOfRows;
  if (t95(count - 1) * standard_error >= pooled.within_half_width.value_or(0)) {
    pooled.standard_error = standard_error;
    pooled.degrees_of_freedom = count - 1;
    pooled.basis = IntervalBasis::kRows;
  }
}

} // namespace

double t95(std::int64_t degrees_of_freedom) {
  constexpr double kConfidence = 0.95;
  constexpr std::size_t kUsual = 32; // few runs in most rows: looked up, where there are many rows
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
  PooledFigure pooled;
  std::vector<double> means;
  means.reserve(rows.size());
  for (const RowFigure& row : rows) {
    means.push_back(row.mean);
  }
  pooled.rows = rows.size();
  pooled.mean = mean(means).value_or(0);
  pooled.between_sd = sample_sd(means);
  fill_within(pooled, rows);
  if (rows.size() >= kRowsForBetweenRuns) {
    fill_between(pooled);
  }
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
