#include <cmath>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pool_words.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/break_even.h"
#include "sdbench/front/compare/compare_fields.h"
#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/confidence.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? OrderedJson(*value) : OrderedJson();
}

/// null for 0, which stands for unknown.
OrderedJson count_or_null(std::size_t count) {
  return count > 0 ? OrderedJson(count) : OrderedJson();
}

/// The interval in the metric's own unit.
std::optional<Interval> value_interval(const Metric& metric, const PooledFigure& figure) {
  const auto interval = figure.interval();
  return interval && metric.is_rate ? std::optional(Interval{1 / interval->high, 1 / interval->low})
                                    : interval;
}

std::optional<double> part_of_mean(const std::optional<double>& sd, double mean) {
  return sd ? std::optional(*sd / mean) : std::nullopt;
}

const char* covers_word(IntervalBasis basis) {
  switch (basis) {
  case IntervalBasis::kCards:
    return "between-cards";
  case IntervalBasis::kHosts:
    return "between-hosts";
  case IntervalBasis::kSessions:
    return "between-sessions";
  case IntervalBasis::kRows:
    return "between-runs";
  case IntervalBasis::kRunsOfRows:
  case IntervalBasis::kRunsOfOneRow:
    break;
  }
  return "within-run";
}

void add_figure(OrderedJson& place, const Comparison& comparison, const Pool& pool) {
  const PooledFigure figure = pool.figure.value_or(PooledFigure{});
  const bool any = pool.figure.has_value();
  const auto interval = any ? value_interval(comparison.metric, figure) : std::nullopt;
  place["value"] = any ? OrderedJson(comparison.metric.averaged_scale(figure.mean)) : OrderedJson();
  place["ci95_low"] = interval ? OrderedJson(interval->low) : OrderedJson();
  place["ci95_high"] = interval ? OrderedJson(interval->high) : OrderedJson();
  place["ci95_covers"] = interval ? covers_word(figure.basis) : "";
  place["rows"] = pool.rows.size();
  place["sessions"] = figure.sessions;
  place["runs"] = figure.runs;
  place["cards"] = count_or_null(pool.cards);
  place["hosts"] = count_or_null(pool.hosts);
  place["failed"] = pool.failed.size();
  place["left_out"] = pool.left_out.size();
  place["sd_within"] = or_null(part_of_mean(figure.within_sd, figure.mean));
  place["sd_between"] = or_null(part_of_mean(figure.between_sd, figure.mean));
}

void add_verdict(OrderedJson& place, const Comparison& comparison, const Pool& pool) {
  const bool judged = pool.figure && pool.base && comparison.pools[*pool.base].figure;
  const auto& interval = pool.relative.interval;
  place["baseline"] =
      pool.base ? OrderedJson(comparison.pools[*pool.base].line + 1) : OrderedJson();
  place["relative"] = judged ? OrderedJson(pool.relative.value) : OrderedJson();
  place["relative_ci95_low"] = judged && interval ? OrderedJson(interval->low) : OrderedJson();
  place["relative_ci95_high"] = judged && interval ? OrderedJson(interval->high) : OrderedJson();
  place["busy_rows"] = pool.busy_rows;
  place["baseline_busy_rows"] = pool.base ? comparison.pools[*pool.base].busy_rows : 0;
  place["verdict"] = !judged            ? std::string()
                     : pool.is_baseline ? std::string("baseline")
                                        : std::string(word_of(pool.verdict, comparison.metric));
}

void add_break_even(OrderedJson& place, const Comparison& comparison, const Pool& pool) {
  const std::optional<BreakEven>& paid = pool.break_even;
  const bool counts = paid && paid->kind == BreakEven::Kind::kAfter;
  const bool has_interval = counts && paid->interval;
  const Interval interval = has_interval ? *paid->interval : Interval{};
  place["break_even"] = paid ? word_of(paid->kind) : "";
  place["break_even_row"] = paid ? OrderedJson(payer_of(comparison, pool) + 1) : OrderedJson();
  place["break_even_images"] = counts ? OrderedJson(paid->images) : OrderedJson();
  place["break_even_ci95_low"] = has_interval ? OrderedJson(interval.low) : OrderedJson();
  place["break_even_ci95_high"] = has_interval ? OrderedJson(interval.high) : OrderedJson();
}

OrderedJson place_of(const Comparison& comparison, const ResultTable& table, const Pool& pool) {
  const ComparedLine& line = comparison.lines[pool.line];
  OrderedJson place = {
      {"row", pool.line + 1},
      {"machine", escape_text(line.name)},
      {"generation", escape_text(line.generation)},
      {"workload", escape_text(comparison.columns[pool.column].name)},
      {"workload_id", escape_text(table.text(pool.sample_row(), "workload_id"))},
      {"variant_id", escape_text(table.text(pool.sample_row(), "variant_id"))},
      {"env_id", escape_text(table.text(pool.sample_row(), "env_id"))},
      {"status", escape_text(outcome_of(table, status_row(pool)))},
      {"metric", comparison.metric.name},
      {"unit", comparison.metric.unit},
      {"more_is_better", comparison.metric.more_is_better},
  };
  add_figure(place, comparison, pool);
  add_verdict(place, comparison, pool);
  add_break_even(place, comparison, pool);
  place["images_per_min"] = or_null(pool.images_per_min);
  place["s_per_image"] = or_null(s_per_image(pool));
  place["unet_it_s"] = or_null(pool.unet_it_s);
  place["peak_bytes"] = or_null(pool.peak_bytes);
  place["j_per_image"] = or_null(pool.j_per_image);
  place["psnr_db_min"] = or_null(pool.psnr_db_min);
  place["ssim_min"] = or_null(pool.ssim_min);
  place["quality_references"] = escape_text(pool.quality_references);
  place["notes"] =
      mapped(pool.notes, [&](std::size_t note) { return escape_text(comparison.notes[note]); });
  return place;
}

std::string csv_value(const OrderedJson& value) {
  if (value.is_null()) {
    return "";
  }
  if (value.is_number_float()) {
    return number_text(value.get<double>());
  }
  if (value.is_array()) {
    std::string joined;
    for (const auto& item : value) {
      joined += (joined.empty() ? "" : "; ") +
                (item.is_string() ? item.get<std::string>() : csv_value(item));
    }
    return csv_text(joined);
  }
  return value.is_string() ? csv_text(value.get<std::string>()) : value.dump();
}

} // namespace

nlohmann::ordered_json to_json(const Comparison& comparison, const ResultTable& table,
                               const std::vector<CompareField>& fields) {
  OrderedJson places = OrderedJson::array();
  for (const ComparedColumn& column : comparison.columns) {
    for (const std::size_t pool : column.pools) {
      OrderedJson place = place_of(comparison, table, comparison.pools[pool]);
      for (const CompareField& field : fields) {
        if (field.field) {
          place[field.name] = json_of(field, table, comparison.pools[pool]);
        }
      }
      places.push_back(std::move(place));
    }
  }
  return {{"metric", comparison.metric.name},
          {"unit", comparison.metric.unit},
          {"more_is_better", comparison.metric.more_is_better},
          {"threshold", comparison.threshold},
          {"baseline", escape_text(comparison.baseline)},
          {"places", std::move(places)}};
}

std::string to_json_text(const nlohmann::ordered_json& comparison) {
  return comparison.dump(2) + "\n";
}

std::string to_csv(const nlohmann::ordered_json& comparison) {
  std::string text;
  for (const auto& place : comparison.at("places")) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (const auto& [name, value] : place.items()) {
      names.push_back(name);
      values.push_back(csv_value(value));
    }
    text += (text.empty() ? csv_line(names) : "") + csv_line(values);
  }
  return text;
}

} // namespace sdbench
