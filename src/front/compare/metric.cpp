#include "sdbench/front/compare/metric.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/field_unit_table.h"
#include "sdbench/front/record/record_field.h"

namespace sdbench {
namespace {

/// Fields without a unit for which more is better.
constexpr std::string_view kPlainMoreIsBetter[] = {"scaling_efficiency", "ssim_mean", "ssim_min"};

struct Spread {
  FieldName field;
  FieldName run_mean; ///< time of a run, whose relative spread is also the field's
};

/// If a field is listed several times, the first that the row has counts. A network's run consists
/// of its iterations alone, so the run's spread is theirs.
constexpr Spread kSpreads[] = {
    {"unet_it_s", "unet_s"},       {"s_per_it", "unet_s"},
    {"achieved_tflops", "unet_s"}, {"achieved_tflops", "e2e_s"},
    {"unet_s", "unet_s"},          {"step_s_mean", "unet_s"},
    {"step_s_mean", "e2e_s"},      {"images_per_min", "e2e_s"},
    {"images_per_s", "e2e_s"},     {"e2e_it_s", "e2e_s"},
    {"megapixels_per_s", "e2e_s"}, {"e2e_s", "e2e_s"},
    {"text_s", "text_s"},          {"vae_s", "vae_s"},
};

/// Times and amounts are written with their unit, so their head has none.
std::string head_of(const RecordField& field) {
  const bool is_per = field.unit.find('/') != std::string_view::npos;
  return field.words && is_per ? head_with_unit(field)
                               : std::string(field.words.value_or(field.name));
}

} // namespace

bool Metric::is_speed() const {
  return is_rate || unit == "s" || unit == "s/it";
}

std::string Metric::text(double value) const {
  if (unit == "it/s" && value > 0) {
    return step_rate_text(value);
  }
  if (unit == "s") {
    return time_text(value);
  }
  if (unit == "bytes") {
    return memory_text(value);
  }
  return significant_text(value) + (unit.empty() ? "" : " " + std::string(unit));
}

std::string Metric::text_in_column(double value, double best) const {
  return unit == "it/s" && best >= 1 ? significant_text(value) + " it/s" : text(value);
}

std::string memory_text(double bytes) {
  constexpr double kMost = 9e18;
  return bytes_text(std::llround(std::min(bytes, kMost)));
}

std::optional<Metric> metric_of(std::size_t place) {
  Metric metric;
  metric.field = place;
  const RecordField& field = record_fields()[place];
  metric.name = field.name;
  metric.unit = field.unit;
  metric.head = head_of(field);
  const FieldUnit unit = field_unit(field.unit);
  const MeasuredFigure* const measured = find_measured(field.name);
  const bool plain =
      (measured != nullptr && measured->kind == MeasuredKind::kScore) ||
      std::ranges::find(kPlainMoreIsBetter, field.name) != std::end(kPlainMoreIsBetter);
  if (type_name(field) == "text" || (!unit.more_is_better && !plain)) {
    return std::nullopt;
  }
  metric.more_is_better = plain || *unit.more_is_better;
  metric.is_rate = !plain && unit.is_rate;
  for (const Spread& spread : kSpreads) {
    if (spread.field.place() == place) {
      metric.run_times.push_back(
          {.mean = field_index(spread.run_mean),
           .sd = FieldName::of(std::string(spread.run_mean.text()) + "_sd").place()});
    }
  }
  return metric;
}

Metric find_metric(std::string_view name) {
  std::optional<Metric> metric = metric_of(asked_field(name, "--metric"));
  if (!metric) {
    throw UsageError("--metric must be a rate, a time, an amount of memory or energy, such as "
                     "unet_it_s, images_per_min or e2e_s, but is " +
                     in_quotes(std::string(name)) + ", of which neither more nor less is better");
  }
  return *std::move(metric);
}

std::vector<Metric> find_metrics(std::string_view names) {
  std::vector<Metric> metrics;
  for (const std::string_view name : split(names, ',')) {
    if (name.empty()) {
      throw UsageError("--metric must be fields separated by commas, but one is empty in " +
                       in_quotes(std::string(names)));
    }
    Metric metric = find_metric(name);
    if (std::ranges::find(metrics, metric.field, &Metric::field) == metrics.end()) {
      metrics.push_back(std::move(metric));
    }
  }
  return metrics;
}

std::vector<Metric> judged_metrics(const ResultTable& table, std::span<const std::size_t> rows) {
  std::vector<Metric> metrics;
  for (const std::size_t row : rows) {
    for (const std::string_view name : task_row_of(table.text(row, "task")).judged) {
      if (std::ranges::find(metrics, name, &Metric::name) == metrics.end()) {
        metrics.push_back(find_metric(name));
      }
    }
  }
  return metrics;
}

std::string_view usual_metric(const ResultTable& table, std::span<const std::size_t> rows) {
  std::string_view common;
  for (const std::size_t row : rows) {
    const std::string_view first = task_row_of(table.text(row, "task")).figures.front();
    if (!common.empty() && first != common) {
      return "images_per_min"; // the one that all tasks have
    }
    common = first;
  }
  return common.empty() ? task_row_of("").figures.front() : common;
}

} // namespace sdbench
