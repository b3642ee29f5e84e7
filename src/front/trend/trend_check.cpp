#include "sdbench/front/trend/trend_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/slower_check.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/trend/change_points.h"
#include "sdbench/front/words/terminal_text.h"

namespace sdbench {
namespace {

using Kind = TrendFinding::Kind;

std::string percent_of(double fraction) {
  return significant_text(100 * fraction, 2) + " %";
}

/// " (0.955 to 0.967)"
std::string interval_words(const Ratio& ratio) {
  return ratio.interval ? " (" + significant_text(ratio.interval->low) + " to " +
                              significant_text(ratio.interval->high) + ")"
                        : "";
}

std::string since_words(const Metric& metric, const CellTrend& trend, const LevelChange& change) {
  const std::string fields = changed_fields_text(change);
  const Ratio ratio = relative_to(metric, change.after, change.before);
  return "since " + date_text(trend.nights[change.night].day) + " " +
         significant_text(ratio.value) +
         (metric.is_speed() ? " times as fast as in" : " times that of") + " the nights before" +
         interval_words(ratio) + (fields.empty() ? "" : "; changed: " + fields);
}

TrendFinding judged_change(const Metric& metric, const CellTrend& trend, const LevelChange& change,
                           double limit) {
  TrendFinding finding;
  finding.words = since_words(metric, trend, change);
  const Verdict verdict = verdict_of(metric, change.after, change.before, limit);
  const double worse = worse_by(metric, change.after.mean, change.before.mean);
  if (verdict != Verdict::kSlower && worse < limit) {
    return finding;
  }
  if (!change.after.covers_starts() || !change.before.covers_starts()) {
    finding.kind = Kind::kUndecided;
    finding.words += "; only one start of the program; use --restarts 3";
  } else {
    finding.kind = verdict == Verdict::kSlower ? Kind::kSlower : Kind::kUndecided;
    finding.words += verdict == Verdict::kSlower ? "" : "; the 95 % intervals do not prove it yet";
  }
  return finding;
}

/// Judges the last night of a cell without a recent change.
TrendFinding judged_night(const Metric& metric, const CellTrend& trend, const Night& night,
                          std::size_t measured, double limit) {
  TrendFinding finding;
  constexpr std::size_t kLeast = kLeastNightsBefore + kNightsThatProve;
  if (measured < kLeast || !night.standing.baseline) {
    finding.kind = Kind::kUndecided;
    finding.words = counted(static_cast<std::int64_t>(measured), "night") +
                    ", but a change is detected only from " + std::to_string(kLeast) + " nights on";
    return finding;
  }
  const double worse = worse_by(metric, night.figure->mean, *night.standing.baseline);
  constexpr double kSpreads = 2.4; // about the distance of the mean of a change's nights
  finding.words =
      "the last night, " + date_text(night.day) + ", is " +
      (std::abs(worse) < 0.0005 ? std::string("at its baseline")
                                : percent_of(std::abs(worse)) + (worse > 0 ? " worse" : " better") +
                                      " than its baseline");
  if (worse >= limit && worse > kSpreads * trend.spread.value_or(0)) {
    finding.kind = Kind::kUndecided;
    finding.words +=
        "; one night does not prove a change, " + std::to_string(kNightsThatProve) + " do";
  }
  return finding;
}

/// True for outcomes that tell that the card cannot do the work. They are not the night's failures.
bool never_fits(std::string_view outcome) {
  const auto status = status_from_name(outcome);
  return status == Status::kOomDevice || status == Status::kOomHost || status == Status::kSkipped;
}

/// "the last night, 2026-01-31: crash"
std::string last_night_words(const Night& last, std::string_view why) {
  return "the last night, " + date_text(last.day) + ": " + one_line(why);
}

/// The finding if the last night failed in every row, or failed while no night of the baseline did.
std::optional<TrendFinding> judged_failure(const CellTrend& trend, const ResultTable& table) {
  const Night& last = trend.nights.back();
  const auto count =
      static_cast<std::ptrdiff_t>(std::min(kBaselineNights, trend.nights.size() - 1));
  const bool failed_before =
      std::any_of(trend.nights.end() - 1 - count, trend.nights.end() - 1, [&](const Night& night) {
        return std::ranges::any_of(
            night.failed, [&](std::size_t row) { return excuses_failure(outcome_of(table, row)); });
      });
  const std::string failure = failure_of(last, table);
  if (failure.empty() || (last.figure && failed_before)) {
    return std::nullopt;
  }
  return TrendFinding{.trend = 0,
                      .kind = Kind::kBroken,
                      .words = last_night_words(last, failure) +
                               (last.figure ? ", although other rows are good" : ", no figure")};
}

/// True if a whole run of the cell lacks the figure. Then its work has no such figure.
bool lacks_figure(const CellTrend& trend, const ResultTable& table) {
  return std::ranges::any_of(trend.nights, [&](const Night& night) {
    return std::ranges::any_of(
        night.left_out, [&](std::size_t row) { return is_whole_by(table.text(row, "flags")); });
  });
}

/// The finding for a cell without a figure on any night: a failure, unless the card is too small.
/// Nothing if the work has no such figure.
std::optional<TrendFinding> judged_without_figure(const Metric& metric, const CellTrend& trend,
                                                  const ResultTable& table) {
  if (lacks_figure(trend, table)) {
    return std::nullopt;
  }
  const Night& last = trend.nights.back();
  const std::string failure = failure_of(last, table);
  const bool is_too_small = std::ranges::all_of(trend.nights, [&](const Night& night) {
    return std::ranges::all_of(night.failed,
                               [&](std::size_t row) { return never_fits(outcome_of(table, row)); });
  });
  const std::string why =
      failure.empty() ? why_no_figure(metric, table, last.failed, last.left_out) : failure;
  return TrendFinding{.trend = 0,
                      .kind = failure.empty() ? Kind::kUndecided
                              : is_too_small  ? Kind::kNotJudged
                                              : Kind::kBroken,
                      .words = last_night_words(last, why) + ", and no night had a figure"};
}

/// Judges a cell by its last change if that is recent, else by its last night.
TrendFinding judged_level(const Metric& metric, const CellTrend& trend, double limit) {
  const std::vector<std::size_t> measured = trend.measured();
  if (!trend.changes.empty()) {
    const LevelChange& change = trend.changes.back();
    const auto since =
        std::ranges::count_if(measured, [&](std::size_t night) { return night >= change.night; });
    if (static_cast<std::size_t>(since) <= kBaselineNights) {
      return judged_change(metric, trend, change, limit);
    }
  }
  return judged_night(metric, trend, trend.nights[measured.back()], measured.size(), limit);
}

/// The finding for a cell; nothing if its work has no such figure.
std::optional<TrendFinding> judged_trend(const Trends& trends, const CellTrend& trend,
                                         const ResultTable& table, double limit) {
  const Metric& metric = trends.comparison.metric;
  const Night& last = trend.nights.back();
  const bool has_figure = !trend.measured().empty();
  std::optional<TrendFinding> finding =
      has_figure ? judged_failure(trend, table) : judged_without_figure(metric, trend, table);
  constexpr std::int64_t kUsualSteps = 3; // older last nights are not judged
  if ((has_figure || finding) && trends.last_day - last.day > kUsualSteps * trend.days_between) {
    return TrendFinding{
        .trend = 0, .kind = Kind::kNotJudged, .words = "last measured on " + date_text(last.day)};
  }
  if (finding || !has_figure) {
    return finding;
  }
  finding = judged_level(metric, trend, limit);
  if (finding->kind == Kind::kFine && !last.figure) {
    finding->kind = Kind::kUndecided;
    finding->words =
        last_night_words(last, why_no_figure(metric, table, last.failed, last.left_out));
  }
  return finding;
}

} // namespace

std::vector<TrendFinding> check_trends(const Trends& trends, const ResultTable& table,
                                       double limit) {
  std::vector<TrendFinding> findings;
  for (std::size_t i = 0; i < trends.trends.size(); ++i) {
    const CellTrend& trend = trends.trends[i];
    if (is_beside_a_device(trends.comparison.metric, table, trends.comparison.pools[trend.pool])) {
      continue;
    }
    if (auto finding = judged_trend(trends, trend, table, limit)) {
      finding->trend = i;
      findings.push_back(std::move(*finding));
    }
  }
  return findings;
}

std::string failure_of(const Night& night, const ResultTable& table) {
  for (const std::size_t row : night.failed) {
    if (is_true_failure(outcome_of(table, row))) {
      return outcome_words(table, row);
    }
  }
  return {};
}

std::string last_failure_text(const CellTrend& trend, const ResultTable& table) {
  const auto finding = judged_failure(trend, table);
  return finding ? finding->words : "";
}

std::string cell_name(const Trends& trends, const CellTrend& trend) {
  return place_words(trends.comparison, trends.comparison.pools[trend.pool]);
}

std::string failed_nights_text(const CellTrend& trend, const ResultTable& table) {
  constexpr std::size_t kMost = 5;
  const auto has_failed = [](const Night& night) { return !night.failed.empty(); };
  std::vector<std::string> nights = mapped_if(trend.nights, has_failed, [&](const Night& night) {
    return date_text(night.day) + " (" + one_line(outcome_words(table, night.failed.front())) + ")";
  });
  const std::size_t more = nights.size() > kMost ? nights.size() - kMost : 0;
  nights.erase(nights.begin(), nights.begin() + static_cast<std::ptrdiff_t>(more));
  return joined(nights) + (more > 0 ? " and " + std::to_string(more) + " before" : "");
}

std::string changed_fields_text(const LevelChange& change) {
  constexpr std::size_t kMost = 4;
  constexpr std::size_t kLongest = 40;
  const auto shown = [](const std::string& value) {
    return value.empty() ? "(none)" : cut_to(one_line(value), kLongest);
  };
  std::vector<std::string> words;
  for (const FieldChange& field : change.fields) {
    if (words.size() == kMost) {
      words.push_back("and " + std::to_string(change.fields.size() - kMost) + " more");
      break;
    }
    words.push_back(std::string(field.field.text()) +
                    (field.before == field.after
                         ? " (not shown here)"
                         : " " + shown(field.before) + " -> " + shown(field.after)));
  }
  return joined(words);
}

} // namespace sdbench
