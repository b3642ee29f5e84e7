#include "sdbench/front/compare/break_even.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/confidence.h"
#include "table_words.h"

namespace sdbench {
namespace {

using Kind = BreakEven::Kind;

/// Seconds that the row's engine took to prepare; nothing if the row does not tell.
std::optional<double> prepared_by(const ResultTable& table, std::size_t row) {
  const std::string_view prepared = table.text(row, "prepared");
  if (prepared == "kept" || prepared == "unknown") {
    return std::nullopt;
  }
  const auto seconds = table.number(row, "prepare_s");
  const bool is_told = prepared == "new" || is_own_engine(table.text(row, "engine"));
  if (seconds) {
    return is_told ? seconds : std::nullopt;
  }
  return table.number(row, "load_s") ? std::optional(0.0) : std::nullopt; // nothing to prepare
}

std::optional<EngineCost> cost_of(const ResultTable& table, const Pool& pool) {
  static const Metric kImages = find_metric("images_per_min");
  constexpr double kSecondsPerMinute = 60;
  const std::vector<double> prepare_s =
      mapped_known(pool.rows, [&](std::size_t row) { return prepared_by(table, row); });
  const auto mean_s = mean(prepare_s);
  auto image_s = pooled_by(kImages, table, pool.rows, pool.over);
  if (!mean_s || !image_s) {
    return std::nullopt;
  }
  image_s->mean *= kSecondsPerMinute;
  if (image_s->standard_error) {
    *image_s->standard_error *= kSecondsPerMinute;
  }
  const double error_s =
      sample_sd(prepare_s).value_or(0) / std::sqrt(static_cast<double>(prepare_s.size()));
  return EngineCost{*mean_s, *image_s, static_cast<std::int64_t>(prepare_s.size()), error_s};
}

Kind kind_of(const MeanDifference& gain, double more_s) {
  const Interval range = gain.interval.value_or(Interval{gain.value, gain.value});
  if (range.high <= 0) {
    return Kind::kNever;
  }
  if (range.low <= 0) {
    return Kind::kUnclear;
  }
  return more_s > 0 ? Kind::kAfter : Kind::kAtOnce;
}

/// Seconds that `ours` takes longer to prepare than `base`.
MeanDifference more_prepared(const EngineCost& ours, const EngineCost& base) {
  const double variance = std::pow(ours.prepare_standard_error, 2);
  const double base_variance = std::pow(base.prepare_standard_error, 2);
  const auto degrees = [](const EngineCost& cost) {
    return std::max<std::int64_t>(1, cost.prepare_rows - 1);
  };
  return {.value = ours.prepare_s - base.prepare_s,
          .interval = std::nullopt,
          .standard_error = std::sqrt(variance + base_variance),
          .degrees_of_freedom =
              welch_satterthwaite(variance, degrees(ours), base_variance, degrees(base))};
}

/// Fieller's interval of `more` / `gain`, whose own interval is above zero: all n for which
/// more - n gain is no farther from zero than its standard error allows. Empty if these n are
/// unbounded.
std::optional<Interval> quotient_interval(const MeanDifference& more, const MeanDifference& gain) {
  const double quotient = more.value / gain.value;
  const double more_variance = std::pow(more.standard_error, 2);
  const double gain_variance = std::pow(gain.standard_error, 2);
  const double t =
      t95(welch_satterthwaite(more_variance, more.degrees_of_freedom,
                              quotient * quotient * gain_variance, gain.degrees_of_freedom));
  const double square = std::pow(gain.value, 2) - t * t * gain_variance;
  if (square <= 0) {
    return std::nullopt;
  }
  const double middle = more.value * gain.value;
  const double reach =
      t * std::sqrt(more_variance * square + gain_variance * more.value * more.value);
  return Interval{(middle - reach) / square, (middle + reach) / square};
}

} // namespace

BreakEven break_even_of(const EngineCost& ours, const EngineCost& base) {
  const MeanDifference more = more_prepared(ours, base);
  const MeanDifference gain = difference_of(base.image_s, ours.image_s);
  BreakEven paid{.kind = kind_of(gain, more.value)};
  if (paid.kind != Kind::kAfter) {
    return paid;
  }
  paid.images = std::ceil(more.value / gain.value);
  if (!std::isfinite(paid.images)) {
    return {.kind = Kind::kNever};
  }
  if (gain.interval) {
    const std::optional<Interval> range = quotient_interval(more, gain);
    if (range && std::isfinite(range->low) && std::isfinite(range->high)) {
      paid.interval = Interval{std::max(0.0, std::ceil(range->low)), std::ceil(range->high)};
    }
  }
  return paid;
}

std::string_view word_of(Kind kind) {
  switch (kind) {
  case Kind::kNever:
    return "never";
  case Kind::kUnclear:
    return "unclear";
  case Kind::kAtOnce:
    return "at once";
  case Kind::kAfter:
    break;
  }
  return "after";
}

std::string text_of(const BreakEven& paid) {
  if (paid.kind != Kind::kAfter) {
    return std::string(word_of(paid.kind));
  }
  const auto range = [](const Interval& images) {
    return " (" + number_text(images.low) + " to " + number_text(images.high) + ")";
  };
  return number_text(paid.images) + (paid.interval ? range(*paid.interval) : "");
}

std::size_t payer_of(const Comparison& comparison, const Pool& pool) {
  const bool is_best = comparison.baseline == kBestBaseline && pool.base;
  return is_best ? comparison.pools[*pool.base].line : pool.line;
}

void add_break_even(Comparison& comparison, const ResultTable& table) {
  const auto may_pay = [&](std::size_t ours, std::size_t theirs) {
    return table.text(ours, "engine") != table.text(theirs, "engine") &&
           (comparison.pools_cards || table.text(ours, "host") == table.text(theirs, "host")) &&
           device_words(table, ours) == device_words(table, theirs);
  };
  for (Pool& pool : comparison.pools) {
    if (pool.is_baseline || !pool.base) {
      continue;
    }
    const Pool& base = comparison.pools[*pool.base];
    if (!may_pay(pool.sample_row(), base.sample_row())) {
      continue;
    }
    const auto ours = cost_of(table, pool);
    const auto theirs = cost_of(table, base);
    if (ours && theirs && (ours->prepare_s > 0 || theirs->prepare_s > 0)) {
      pool.break_even = comparison.baseline == kBestBaseline ? break_even_of(*theirs, *ours)
                                                             : break_even_of(*ours, *theirs);
    }
  }
}

} // namespace sdbench
