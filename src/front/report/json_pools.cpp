#include "json_pools.h"

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "sdbench/base/record/record_fields.h"
#include "sdbench/front/compare/break_even.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/studies.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

/// configs/report/scripts/02-format.js has their words.
constexpr std::array kPageMetrics = {"images_per_min",   "unet_it_s",       "e2e_it_s",
                                     "megapixels_per_s", "achieved_tflops", "first_image_it_s"};

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

OrderedJson metrics_json(const ResultTable& table) {
  std::vector<std::size_t> rows(table.size());
  std::iota(rows.begin(), rows.end(), 0U);
  OrderedJson metrics;
  for (const char* name : kPageMetrics) {
    CompareOptions options;
    options.metric = find_metric(name);
    const auto& run_mean = options.metric.run_mean;
    metrics[name] = {
        {"run_time", run_mean ? OrderedJson(record_fields()[*run_mean].name) : OrderedJson()},
        {"pool", pools_json(group_rows(table, rows, options, {}), table.size())}};
  }
  return metrics;
}

OrderedJson quality_json(const ResultTable& table) {
  std::vector<std::size_t> rows(table.size());
  std::iota(rows.begin(), rows.end(), 0U);
  CompareOptions options;
  options.metric = find_metric(kPageMetrics.front());
  const SortedRows sorted = set_studies_apart(table, rows, options.metric);
  Comparison comparison = group_rows(table, sorted.placed, options, {});
  add_studies(comparison, table, sorted.studies);
  OrderedJson rows_of_row = OrderedJson::object();
  for (const Pool& pool : comparison.pools) {
    for (const auto* places : {&pool.rows, &pool.left_out, &pool.silent}) {
      for (const std::size_t row : pool.studies.empty() ? std::vector<std::size_t>() : *places) {
        rows_of_row[std::to_string(row)] = pool.studies;
      }
    }
  }
  return rows_of_row;
}

OrderedJson break_even_json(const ResultTable& table) {
  std::vector<std::size_t> rows(table.size());
  std::iota(rows.begin(), rows.end(), 0U);
  CompareOptions options;
  options.metric = find_metric(kPageMetrics.front());
  const Comparison comparison = compare_rows(table, rows, options);
  OrderedJson list = OrderedJson::array();
  for (const Pool& pool : comparison.pools) {
    if (pool.break_even) {
      list.push_back({{"workload", comparison.columns[pool.column].name},
                      {"payer", comparison.lines[payer_of(comparison, pool)].name},
                      {"beside", comparison.lines[pool.line].name},
                      {"images", text_of(*pool.break_even)}});
    }
  }
  return list;
}

} // namespace sdbench
