#include "sdbench/front/compare/figures.h"
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
                     std::size_t repeat) {
  RowFigure figure;
  figure.mean = metric.averaged_scale(*table.number(row, metric.field));
  constexpr double kMost = 1e9; // a file may hold any number
  figure.runs =
      static_cast<std::int64_t>(std::clamp(table.number(row, repeat).value_or(0), 0.0, kMost));
  figure.session = table.text_id(row, field_index("sweep_id"));
  figure.restart =
      static_cast<std::int64_t>(std::clamp(table.number(row, "restart").value_or(1), 1.0, kMost));
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
                              std::optional<std::size_t> field, const Better& better) {
  std::optional<double> best;
  for (const std::size_t row : field ? rows : std::vector<std::size_t>()) {
    const std::optional<double> value = table.number(row, *field);
    if (value && (!best || better(*value, *best))) {
      best = value;
    }
  }
  return best;
}

/// Fills in the figures that are shown beside the metric.
class SideFigures {
public:
  explicit SideFigures(const ResultTable& table) : table_(table) {}

  void fill(Pool& pool) const {
    if (const auto images = pooled_by(images_, table_, pool.rows)) {
      pool.images_per_min = 1 / images->mean;
    } else if (const auto alone = pooled_by(images_, table_, pool.silent)) {
      pool.images_per_min = 1 / alone->mean; // a sum has images/min but no it/s
    }
    if (const auto steps = pooled_by(steps_, table_, pool.rows)) {
      pool.unet_it_s = 1 / steps->mean;
    }
    if (const auto joules = pooled_by(joules_, table_, pool.rows)) {
      pool.j_per_image = joules->mean;
    }
    pool.peak_bytes = extreme(table_, pool.rows, allocated_, std::greater<>());
    if (!pool.peak_bytes) {
      pool.peak_bytes = extreme(table_, pool.rows, host_bytes_, std::greater<>());
    }
    fill_quality(pool);
  }

private:
  void fill_quality(Pool& pool) const {
    std::vector<std::size_t> all = pool.studies;
    for (const auto* rows : {&pool.rows, &pool.silent}) { // a study's rows may have own places
      all.insert(all.end(), rows->begin(), rows->end());
    }
    pool.psnr_db_min = extreme(table_, all, psnr_, std::less<>());
    pool.ssim_min = extreme(table_, all, ssim_, std::less<>());
    std::set<std::string_view> references;
    for (const std::size_t row : all) {
      references.insert(table_.text(row, reference_));
    }
    references.erase("");
    for (const std::string_view words : references) {
      pool.quality_references.append(pool.quality_references.empty() ? "" : "; ").append(words);
    }
  }

  const ResultTable& table_;
  Metric images_ = find_metric("images_per_min");
  Metric steps_ = find_metric("unet_it_s");
  Metric joules_ = find_metric("j_per_image");
  std::size_t allocated_ = field_index("peak_device_allocated_bytes");
  std::size_t host_bytes_ = field_index("peak_host_bytes");
  std::size_t psnr_ = field_index("psnr_db_min"); // from `sdbench quality`
  std::size_t ssim_ = field_index("ssim_min");
  std::size_t reference_ = field_index("quality_reference");
};

/// The pool's figure, with its sign such that less is better.
double badness(const Comparison& comparison, const Pool& pool) {
  const bool more_is_better = comparison.metric.more_is_better && !comparison.metric.is_rate;
  return more_is_better ? -pool.figure->mean : pool.figure->mean;
}

void sort_columns(Comparison& comparison, const ResultTable& table) {
  const std::size_t model = field_index("model");
  const std::size_t sizes[] = {field_index("width"), field_index("height"), field_index("steps"),
                               field_index("batch")};
  const auto work = [&](const ComparedColumn& column) {
    const auto size = [&](int i) { return table.number(column.row, sizes[i]).value_or(0); };
    return std::tuple(table.text(column.row, model), size(0), size(1), size(2), size(3),
                      std::string_view(column.name));
  };
  std::vector<std::size_t> order(comparison.columns.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return work(comparison.columns[a]) < work(comparison.columns[b]);
  });
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
                                      std::span<const std::size_t> rows) {
  const std::size_t repeat = field_index("repeat");
  std::vector<RowFigure> figures;
  for (const std::size_t row : rows) {
    if (table.number(row, metric.field) > 0) {
      figures.push_back(row_figure(metric, table, row, repeat));
    }
  }
  return figures.empty() ? std::nullopt : std::optional(pool_figures(figures));
}

void fill_figures(Comparison& comparison, const ResultTable& table) {
  const SideFigures side(table);
  for (Pool& pool : comparison.pools) {
    pool.figure = pooled_by(comparison.metric, table, pool.rows);
    side.fill(pool);
  }
}

void rank(Comparison& comparison, const ResultTable& table) {
  sort_columns(comparison, table);
  sort_pools(comparison);
  sort_lines(comparison);
}

} // namespace sdbench
