#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pool_words.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/compare_view.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/published.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {
namespace {

using OrderedJson = nlohmann::ordered_json;

bool is_same_work(const PublishedFigure& figure, const ResultTable& table, std::size_t row) {
  const auto equals = [&](const std::optional<std::int64_t>& stated, FieldName field) {
    return stated && table.number(row, field) == static_cast<double>(*stated);
  };
  // A network's figures are per iteration or per epoch, so the number of these does not matter.
  const auto same_iteration = [&] {
    const bool has_epochs = table.number(row, "epochs").value_or(0) > 0;
    return figure.update == table.text(row, "weight_update") &&
           figure.loss == table.text(row, "loss") &&
           (figure.epoch_images ? has_epochs && equals(figure.epoch_images, "images")
                                : !has_epochs);
  };
  const Task task = task_row_of(table.text(row, "task")).task;
  return task == task_row_of(figure.task).task && figure.model == table.text(row, "model") &&
         equals(figure.width, "width") && equals(figure.height, "height") &&
         equals(figure.batch, "batch") &&
         (makes_images(task) ? equals(figure.steps, "steps") : same_iteration());
}

using FiguresByMetric = std::map<std::string, std::vector<const PublishedFigure*>>;

FiguresByMetric figures_beside(const ComparedColumn& column, const ResultTable& table,
                               const Published& published) {
  FiguresByMetric found;
  for (const PublishedFigure& figure : published.figures) {
    const bool says_something = figure.value || !figure.note.empty();
    if (!figure.metric.empty() && says_something && is_same_work(figure, table, column.row)) {
      found[figure.metric].push_back(&figure);
    }
  }
  return found;
}

struct RankedRow {
  std::optional<double> value; ///< nothing if the row tells why it has no value
  ViewRow row;
};

constexpr std::size_t kFigureCell = 3;
constexpr std::size_t kRelativeCell = 4;
constexpr const char* kRelativeHead = "relative";

std::vector<RankedRow> own_rows(const Comparison& comparison, const ResultTable& table,
                                const ComparedColumn& column, const Metric& metric) {
  std::vector<RankedRow> rows;
  for (const std::size_t place : column.pools) {
    const Pool& pool = comparison.pools[place];
    auto figure = pooled_by(metric, table, pool.rows, pool.over);
    if (!figure) { // rows without the compared metric may have this one
      figure = pooled_by(metric, table, pool.silent, pool.over);
    }
    if (figure) {
      const double value = metric.averaged_scale(figure->mean);
      const std::size_t row = pool.sample_row();
      const std::string attention(table.text(row, "attention_used"));
      rows.push_back({value,
                      {.cells = {std::to_string(pool.line + 1), comparison.lines[pool.line].name,
                                 comparison.lines[pool.line].generation, "", "",
                                 joined({std::string(table.text(row, "dtype_unet")),
                                         attention.empty() ? "" : "attention " + attention}),
                                 "measured"}}});
    }
  }
  return rows;
}

/// The best value measured here, to which the other rows are compared.
std::optional<double> best_of(const std::vector<RankedRow>& rows, const Metric& metric) {
  const auto best = std::ranges::min_element(rows, [&](const RankedRow& a, const RankedRow& b) {
    return metric.more_is_better ? *a.value > *b.value : *a.value < *b.value;
  });
  return best == rows.end() ? std::nullopt : best->value;
}

/// The value relative to the best. As in relative_to(), rates and times give the quotient of
/// speeds.
double beside(const Metric& metric, double value, double best) {
  return metric.is_speed() && !metric.more_is_better ? best / value : value / best;
}

/// "2 x RTX 2080 Ti"
std::string device_text(const PublishedFigure& figure) {
  const std::int64_t devices = figure.devices.value_or(1);
  return (devices > 1 ? std::to_string(devices) + " x " : "") + figure.device;
}

std::string source_words(const PublishedSource& source) {
  return "*  " + source.file + ": " + source.source +
         (source.date.empty() ? "" : ", " + source.date) + ". " + source.protocol +
         ". Doubts: " + source.doubts;
}

ViewTable table_of(const Comparison& comparison, const ResultTable& table,
                   const ComparedColumn& column, const Metric& metric,
                   const std::vector<const PublishedFigure*>& figures, const Published& published) {
  std::vector<RankedRow> rows = own_rows(comparison, table, column, metric);
  const std::optional<double> best = best_of(rows, metric);
  std::set<std::size_t> sources;
  for (const PublishedFigure* figure : figures) {
    const std::optional<double> value = in_metric_unit(*figure);
    sources.insert(figure->source);
    rows.push_back(
        {value,
         {.cells = {"*", device_text(*figure), figure->device_arch, value ? "" : figure->note, "",
                    joined({figure->precision, figure->engine}),
                    "published, " + published.sources[figure->source].file},
          .tone = Tone::kFaint}});
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const RankedRow& a, const RankedRow& b) {
    if (!a.value || !b.value) {
      return a.value.has_value() && !b.value.has_value();
    }
    return metric.more_is_better ? *a.value > *b.value : *a.value < *b.value;
  });
  ViewTable view;
  view.title = column.name + ": published by others, beside " + std::string(metric.name);
  view.name_columns = 2;
  view.columns = {{"#", true, 0},
                  {"machine", false, 0},
                  {"generation", false, 2},
                  {metric.head, true, 0},
                  {kRelativeHead, true, 0},
                  {"how", false, 0, Cells::kLines},
                  {"where from", false, 0, Cells::kLines}};
  if (best) {
    view.legends.push_back(
        {{kRelativeHead}, "relative: to the best row that was measured here; no verdict"});
  }
  for (RankedRow& row : rows) {
    if (row.value) { // then the first row also has one
      row.row.cells[kFigureCell] = metric.text_in_column(*row.value, *rows.front().value);
      row.row.cells[kRelativeCell] = best ? times_text(beside(metric, *row.value, *best)) : "";
    }
    view.rows.push_back(std::move(row.row));
  }
  for (const std::size_t source : sources) {
    view.remarks.push_back(source_words(published.sources[source]));
  }
  return view;
}

OrderedJson published_place(const PublishedFigure& figure, const ComparedColumn& column,
                            const OrderedJson& like, const PublishedSource& source) {
  OrderedJson place;
  for (const auto& [name, value] : like.items()) {
    place[name] = nullptr;
  }
  place["machine"] = device_text(figure);
  place["generation"] = figure.device_arch;
  place["workload"] = escape_text(column.name);
  place["status"] = "published";
  place["metric"] = figure.metric;
  const Metric metric = find_metric(figure.metric);
  place["unit"] = metric.unit;
  place["more_is_better"] = metric.more_is_better;
  const std::optional<double> value = in_metric_unit(figure);
  place["value"] = value ? OrderedJson(*value) : OrderedJson();
  place["notes"] = {source_words(source).substr(3), joined({figure.precision, figure.engine})};
  if (!value) {
    place["notes"].push_back(figure.note);
  }
  return place;
}

} // namespace

std::vector<ViewTable> published_tables(const Comparison& comparison, const ResultTable& table,
                                        const Published& published) {
  std::vector<ViewTable> tables;
  for (const ComparedColumn& column : comparison.columns) {
    for (const auto& [metric, figures] : figures_beside(column, table, published)) {
      tables.push_back(
          table_of(comparison, table, column, find_metric(metric), figures, published));
    }
  }
  return tables;
}

void add_published(nlohmann::ordered_json& comparison, const Comparison& ours,
                   const ResultTable& table, const Published& published) {
  OrderedJson& places = comparison.at("places");
  const OrderedJson like = places.at(0); // a comparison has at least one row
  for (const ComparedColumn& column : ours.columns) {
    for (const auto& [metric, figures] : figures_beside(column, table, published)) {
      for (const PublishedFigure* figure : figures) {
        places.push_back(published_place(*figure, column, like, published.sources[figure->source]));
      }
    }
  }
}

} // namespace sdbench
