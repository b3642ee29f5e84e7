#include "sdbench/front/trend/trend_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "sdbench/base/core/escape.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/status.h"
#include "sdbench/base/core/units.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/trend/change_points.h"

namespace sdbench {
namespace {

using Kind = TrendFinding::Kind;

/// How much worse `ours` is than `base`, both on the averaged scale: 0.05 is 5 %.
double worse_by(const Metric& metric, double ours, double base) {
  const bool more_is_better = metric.more_is_better && !metric.is_rate;
  return (more_is_better ? base / ours : ours / base) - 1;
}

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
    finding.words += "; one start; --restarts 3";
  } else {
    finding.kind = verdict == Verdict::kSlower ? Kind::kSlower : Kind::kUndecided;
    finding.words += verdict == Verdict::kSlower ? "" : "; the 95 % intervals do not prove it yet";
  }
  return finding;
}

/// The last night, where no change is new.
TrendFinding judged_night(const Metric& metric, const CellTrend& trend, const Night& night,
                          std::size_t measured, double limit) {
  TrendFinding finding;
  constexpr std::size_t kLeast = kLeastNightsBefore + kNightsThatProve;
  if (measured < kLeast || !night.standing.baseline) {
    finding.kind = Kind::kUndecided;
    finding.words = counted(static_cast<std::int64_t>(measured), "night") +
                    ", and a change is found from " + std::to_string(kLeast) + " on";
    return finding;
  }
  const double worse = worse_by(metric, night.figure->mean, *night.standing.baseline);
  constexpr double kSpreads = 2.2; // as of a change
  finding.words =
      "the last night, " + date_text(night.day) + ", is " +
      (std::abs(worse) < 0.0005 ? std::string("at its baseline")
                                : percent_of(std::abs(worse)) + (worse > 0 ? " worse" : " better") +
                                      " than its baseline");
  if (worse >= limit && worse > kSpreads * trend.spread.value_or(0)) {
    finding.kind = Kind::kUndecided;
    finding.words += "; one night decides nothing, " + std::to_string(kNightsThatProve) + " do";
  }
  return finding;
}

/// The last night failed: wholly, or where none of the nights of the baseline did.
std::optional<TrendFinding> judged_failure(const CellTrend& trend, const ResultTable& table) {
  const Night& last = trend.nights.back();
  const auto count =
      static_cast<std::ptrdiff_t>(std::min(kBaselineNights, trend.nights.size() - 1));
  const bool failed_before = std::any_of(trend.nights.end() - 1 - count, trend.nights.end() - 1,
                                         [](const Night& night) { return !night.failed.empty(); });
  if (last.failed.empty() || (last.figure && failed_before)) {
    return std::nullopt;
  }
  const std::string_view outcome = outcome_of(table, last.failed.front());
  const bool is_true_failure = outcome == table.text(last.failed.front(), "status") &&
                               outcome != name_of(Status::kInterrupted);
  if (!is_true_failure && last.figure) {
    return std::nullopt; // what else there is decides
  }
  return TrendFinding{.trend = 0,
                      .kind = is_true_failure ? Kind::kBroken : Kind::kUndecided,
                      .words = "the last night, " + date_text(last.day) + ": " + one_line(outcome) +
                               (last.figure ? " beside good rows" : ", no figure")};
}

/// A trend with a figure.
TrendFinding judged_trend(const Trends& trends, const CellTrend& trend, const ResultTable& table,
                          double limit) {
  const Metric& metric = trends.comparison.metric;
  const std::vector<std::size_t> measured = trend.measured();
  constexpr std::int64_t kUsualSteps = 3; // so many nights may lack
  if (trends.last_day - trend.nights.back().day > kUsualSteps * trend.days_between) {
    return {.trend = 0,
            .kind = Kind::kNotJudged,
            .words = "last measured on " + date_text(trend.nights.back().day)};
  }
  if (auto failure = judged_failure(trend, table)) {
    return std::move(*failure);
  }
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

} // namespace

std::vector<TrendFinding> check_trends(const Trends& trends, const ResultTable& table,
                                       double limit) {
  std::vector<TrendFinding> findings;
  for (std::size_t i = 0; i < trends.trends.size(); ++i) {
    if (!trends.trends[i].measured().empty()) {
      findings.push_back(judged_trend(trends, trends.trends[i], table, limit));
      findings.back().trend = i;
    }
  }
  return findings;
}

std::string cell_name(const Trends& trends, const CellTrend& trend) {
  const Pool& pool = trends.comparison.pools[trend.pool];
  return trends.comparison.columns[pool.column].name + ": " +
         trends.comparison.lines[pool.line].name;
}

std::string failed_nights_text(const CellTrend& trend, const ResultTable& table) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> nights;
  for (const Night& night : trend.nights) {
    if (!night.failed.empty()) {
      nights.push_back(date_text(night.day) + " (" +
                       one_line(outcome_of(table, night.failed.front())) + ")");
    }
  }
  const std::size_t more = nights.size() > kMost ? nights.size() - kMost : 0;
  nights.erase(nights.begin(), nights.begin() + static_cast<std::ptrdiff_t>(more));
  return joined(nights) + (more > 0 ? " and " + std::to_string(more) + " before" : "");
}

std::string changed_fields_text(const LevelChange& change) {
  constexpr std::size_t kMost = 4;
  constexpr std::size_t kLongest = 40;
  const auto shown = [](const std::string& value) {
    return value.empty() ? "(none)" : one_line(value).substr(0, kLongest);
  };
  std::vector<std::string> words;
  for (const FieldChange& field : change.fields) {
    if (words.size() == kMost) {
      words.push_back("and " + std::to_string(change.fields.size() - kMost) + " more");
      break;
    }
    words.push_back(std::string(field.field.text()) + " " + shown(field.before) + " -> " +
                    shown(field.after));
  }
  return joined(words);
}

} // namespace sdbench
