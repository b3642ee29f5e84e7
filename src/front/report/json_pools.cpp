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
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

/// configs/report/scripts/02-format.js has their words.
constexpr std::array kPageMetrics = {"images_per_min",   "unet_it_s",       "e2e_it_s",
                                     "megapixels_per_s", "achieved_tflops", "first_image_it_s"};

std::vector<std::size_t> all_rows(const ResultTable& table) {
  std::vector<std::size_t> rows(table.size());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

CompareOptions by(const char* metric) {
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

Comparison page_comparison(const ResultTable& table) {
  return compare_rows(table, all_rows(table), by(kPageMetrics.front()));
}

OrderedJson metrics_json(const ResultTable& table, const Comparison& compared) {
  OrderedJson metrics;
  for (const char* name : kPageMetrics) {
    const CompareOptions options = by(name);
    const bool is_there = options.metric.name == compared.metric.name;
    OrderedJson run_times = OrderedJson::array();
    for (const RunTime& time : options.metric.run_times) {
      run_times.push_back(record_fields()[time.mean].name);
    }
    metrics[name] = {
        {"run_times", std::move(run_times)},
        {"pool", pools_json(is_there ? compared : group_rows(table, all_rows(table), options, {}),
                            table.size())}};
  }
  return metrics;
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
