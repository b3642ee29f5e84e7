#include "sdbench/front/compare/figures.h"
#include "cards.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/results/result_table.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace sdbench {
namespace {

RowFigure row_figure(const Metric& metric, const ResultTable& table, std::size_t row,
                     PoolOver over) {
  RowFigure figure;
  figure.mean = metric.averaged_scale(*table.number(row, metric.field));
  constexpr double kMost = 1e9; // a file may hold any number
  const auto count = [&](FieldName field, double least) {
    return static_cast<std::int64_t>(
        std::clamp(table.number(row, field).value_or(least), least, kMost));
  };
  figure.runs = count("repeat", 0);
  figure.session = table.text_id(row, "sweep_id");
  figure.restart = count("restart", 1);
  if (over != PoolOver::kRows) {
    figure.unit = over == PoolOver::kCards ? card_of(table, row) : table.text_id(row, "host");
  }
  for (const RunTime& time : metric.run_times) {
    const auto run_mean = table.number(row, time.mean);
    const auto run_sd = table.number(row, time.sd);
    if (run_mean > 0 && run_sd >= 0.0) {
      figure.sd = *run_sd / *run_mean * figure.mean;
      break;
    }
  }
  return figure;
}

/// The best value of a field among the rows; nothing if no row has one.
template <typename Better>
std::optional<double> extreme(const ResultTable& table, const std::vector<std::size_t>& rows,
                              FieldName field, const Better& better) {
  std::optional<double> best;
  for (const std::size_t row : rows) {
    const std::optional<double> value = table.number(row, field);
    if (value && (!best || better(*value, *best))) {
      best = value;
    }
  }
  return best;
}

/// Fills in the figures of images, which rows of `sdbench quality` tell.
void fill_quality(Pool& pool, const ResultTable& table) {
  std::vector<std::size_t> all = pool.studies;
  for (const auto* rows : {&pool.rows, &pool.silent}) { // a study's rows may have own places
    all.insert(all.end(), rows->begin(), rows->end());
  }
  pool.psnr_db_min = extreme(table, all, "psnr_db_min", std::less<>());
  pool.ssim_min = extreme(table, all, "ssim_min", std::less<>());
  std::set<std::string> references;
  for (const std::size_t row : all) {
    references.emplace(table.text(row, "quality_reference"));
  }
  pool.quality_references = joined({references.begin(), references.end()}, "; ");
}

/// Fills in the figures that are shown beside the metric.
void fill_side_figures(Pool& pool, const ResultTable& table) {
  static const Metric kImages = find_metric("images_per_min");
  static const Metric kSteps = find_metric("unet_it_s");
  static const Metric kJoules = find_metric("j_per_image");
  if (const auto images = pooled_by(kImages, table, pool.rows, pool.over)) {
    pool.images_per_min = 1 / images->mean;
  } else if (const auto alone = pooled_by(kImages, table, pool.silent, pool.over)) {
    pool.images_per_min = 1 / alone->mean; // a sum has images/min but no it/s
  }
  if (const auto steps = pooled_by(kSteps, table, pool.rows, pool.over)) {
    pool.unet_it_s = 1 / steps->mean;
  }
  if (const auto joules = pooled_by(kJoules, table, pool.rows, pool.over)) {
    pool.j_per_image = joules->mean;
  }
  pool.peak_bytes = extreme(table, pool.rows, "peak_device_allocated_bytes", std::greater<>());
  if (!pool.peak_bytes) {
    pool.peak_bytes = extreme(table, pool.rows, "peak_host_bytes", std::greater<>());
  }
  fill_quality(pool, table);
}

/// The pool's figure, with its sign such that less is better.
double badness(const Comparison& comparison, const Pool& pool) {
  return comparison.metric.prefers_larger_mean() ? -pool.figure->mean : pool.figure->mean;
}

void sort_columns(Comparison& comparison, const ResultTable& table) {
  const auto work = [&](std::size_t place) {
    const ComparedColumn& column = comparison.columns[place];
    const auto size = [&](FieldName field) { return table.number(column.row, field).value_or(0); };
    return std::tuple(table.text(column.row, "model"), size("width"), size("height"), size("steps"),
                      size("batch"), std::string_view(column.name));
  };
  std::vector<std::size_t> order(comparison.columns.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, work);
  std::vector<ComparedColumn> sorted;
  for (const std::size_t from : order) {
    for (const std::size_t pool : comparison.columns[from].pools) {
      comparison.pools[pool].column = sorted.size();
    }
    sorted.push_back(std::move(comparison.columns[from]));
  }
  comparison.columns = std::move(sorted);
}

void sort_pools(Comparison& comparison) {
  for (ComparedColumn& column : comparison.columns) {
    std::stable_sort(column.pools.begin(), column.pools.end(), [&](std::size_t a, std::size_t b) {
      const Pool& left = comparison.pools[a];
      const Pool& right = comparison.pools[b];
      if (!left.figure || !right.figure) {
        return left.figure.has_value() && !right.figure.has_value();
      }
      return badness(comparison, left) < badness(comparison, right);
    });
  }
}

void sort_lines(Comparison& comparison) {
  const std::size_t unplaced = comparison.lines.size();
  std::vector<std::size_t> place_of(comparison.lines.size(), unplaced);
  std::vector<ComparedLine> sorted;
  for (const ComparedColumn& column : comparison.columns) {
    for (const std::size_t pool : column.pools) {
      const std::size_t line = comparison.pools[pool].line;
      if (place_of[line] == unplaced) {
        place_of[line] = sorted.size();
        sorted.push_back(std::move(comparison.lines[line]));
      }
    }
  }
  comparison.lines = std::move(sorted);
  for (Pool& pool : comparison.pools) {
    pool.line = place_of[pool.line];
  }
}

} // namespace

std::optional<PooledFigure> pooled_by(const Metric& metric, const ResultTable& table,
                                      std::span<const std::size_t> rows, PoolOver over) {
  const std::vector<RowFigure> figures = mapped_if(
      rows, [&](std::size_t row) { return table.number(row, metric.field) > 0; },
      [&](std::size_t row) { return row_figure(metric, table, row, over); });
  if (figures.empty()) {
    return std::nullopt;
  }
  switch (over) {
  case PoolOver::kCards:
    return pool_units(figures, IntervalBasis::kCards);
  case PoolOver::kHosts:
    return pool_units(figures, IntervalBasis::kHosts);
  case PoolOver::kRows:
    break;
  }
  return pool_figures(figures);
}

void fill_figures(Comparison& comparison, const ResultTable& table) {
  for (Pool& pool : comparison.pools) {
    count_cards(pool, table, comparison.pools_cards);
    pool.figure = pooled_by(comparison.metric, table, pool.rows, pool.over);
    fill_side_figures(pool, table);
  }
}

void rank(Comparison& comparison, const ResultTable& table) {
  sort_columns(comparison, table);
  sort_pools(comparison);
  sort_lines(comparison);
}

} // namespace sdbench
