#include "json_pools.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/break_even.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

/// A speed that the page offers, with its words.
struct PageMetric {
  std::string_view name; ///< name of the record's field
  std::string_view label;
  std::string_view unit;
  std::string_view of_images; ///< what its time covers for images; may be empty
  std::string_view of_networks;
};

constexpr std::string_view kPrompt = "from prompt to pixels";
constexpr std::string_view kIterations = "by the time of whole iterations";

constexpr PageMetric kPageMetrics[] = {
    {"images_per_min", "images/min", "images/min", kPrompt, kIterations},
    {"images_per_s", "images/s", "images/s", "", kIterations},
    {"unet_it_s", "it/s", "it/s", "the denoising loop alone", ""},
    {"e2e_it_s", "it/s, end to end", "it/s end to end", kPrompt, kIterations},
    {"megapixels_per_s", "megapixels/s", "MP/s", kPrompt, kIterations},
    {"achieved_tflops", "TFLOP/s", "TFLOP/s", "nominal operations of the UNet by its time",
     "nominal operations by the time of whole iterations"},
    {"first_image_it_s", "it/s of the first image", "it/s, first image",
     "as a cold progress bar shows it", "by the iterations of the first run"},
};

/// True if a row has a model that makes images (`of_images`), or one that does not.
bool has_kind(const ResultTable& table, bool of_images) {
  return std::ranges::any_of(table.all_rows(), [&](std::size_t row) {
    return makes_images(task_row_of(table.text(row, "task")).task) == of_images;
  });
}

/// "from prompt to pixels; of networks by the time of whole iterations"
std::string meaning_of(const PageMetric& metric, bool has_images, bool has_networks) {
  const bool said_of_images = has_images && !metric.of_images.empty();
  if (!has_networks || metric.of_networks.empty()) {
    return std::string(metric.of_images);
  }
  return said_of_images
             ? std::string(metric.of_images) + "; of networks " + std::string(metric.of_networks)
             : std::string(metric.of_networks);
}

CompareOptions by(std::string_view metric) {
  CompareOptions options;
  options.metric = find_metric(metric);
  return options;
}

OrderedJson pools_json(const Comparison& comparison, std::size_t row_count) {
  OrderedJson pool_of_row(std::vector<OrderedJson>(row_count, nullptr));
  for (std::size_t pool = 0; pool < comparison.pools.size(); ++pool) {
    for (const std::size_t row : comparison.pools[pool].rows) {
      pool_of_row[row] = pool;
    }
  }
  return pool_of_row;
}

} // namespace

Comparison page_comparison(const ResultTable& table, const ResultTable& shown) {
  const std::vector<std::size_t> rows = table.all_rows();
  const CompareOptions options = by(usual_metric(table, rows));
  Comparison compared = compare_rows(table, rows, options);
  name_anew(compared, shown, options);
  return compared;
}

OrderedJson workload_of_row_json(const Comparison& compared, std::size_t row_count) {
  OrderedJson column_of_row(std::vector<OrderedJson>(row_count, nullptr));
  for (const Pool& pool : compared.pools) {
    for (const auto* rows : {&pool.rows, &pool.left_out, &pool.failed, &pool.silent}) {
      for (const std::size_t row : *rows) {
        column_of_row[row] = pool.column;
      }
    }
  }
  return column_of_row;
}

OrderedJson metrics_json(const ResultTable& table, const Comparison& compared) {
  const bool has_images = has_kind(table, true);
  const bool has_networks = has_kind(table, false);
  OrderedJson metrics;
  metrics[std::string(compared.metric.name)] = nullptr; // first, because the page begins with it
  for (const PageMetric& metric : kPageMetrics) {
    const CompareOptions options = by(metric.name);
    const bool is_there = options.metric.name == compared.metric.name;
    OrderedJson run_times = mapped(options.metric.run_times, [](const RunTime& time) {
      return record_fields()[time.mean].name;
    });
    metrics[std::string(metric.name)] = {
        {"label", metric.label},
        {"unit", metric.unit},
        {"meaning", meaning_of(metric, has_images, has_networks)},
        {"run_times", std::move(run_times)},
        {"pool", pools_json(is_there ? compared : group_rows(table, table.all_rows(), options, {}),
                            table.size())}};
  }
  return metrics;
}

OrderedJson energy_json(const ResultTable& table) {
  const CompareOptions options = by("j_per_image");
  const Comparison compared = group_rows(table, table.all_rows(), options, {});
  OrderedJson figures = OrderedJson::array();
  for (const Pool& pool : compared.pools) {
    const auto figure = pooled_by(options.metric, table, pool.rows);
    const auto interval = figure ? figure->interval() : std::nullopt;
    figures.push_back(figure ? OrderedJson::array({number_json(figure->mean),
                                                   number_json(interval ? interval->low : NAN),
                                                   number_json(interval ? interval->high : NAN)})
                             : OrderedJson(nullptr));
  }
  return {{"pool", pools_json(compared, table.size())}, {"figures", std::move(figures)}};
}

OrderedJson quality_json(const Comparison& compared) {
  OrderedJson rows_of_row = OrderedJson::object();
  for (const Pool& pool : compared.pools) {
    for (const auto* places : {&pool.rows, &pool.left_out, &pool.silent}) {
      for (const std::size_t row : pool.studies.empty() ? std::vector<std::size_t>() : *places) {
        rows_of_row[std::to_string(row)] = pool.studies;
      }
    }
  }
  return rows_of_row;
}

OrderedJson break_even_json(const Comparison& compared) {
  OrderedJson list = OrderedJson::array();
  for (const Pool& pool : compared.pools) {
    if (pool.break_even) {
      list.push_back({{"workload", compared.columns[pool.column].name},
                      {"payer", compared.lines[payer_of(compared, pool)].name},
                      {"beside", compared.lines[pool.line].name},
                      {"images", text_of(*pool.break_even)}});
    }
  }
  return list;
}

} // namespace sdbench
