#include "sdbench/front/trend/trend_view.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/trend/change_points.h"
#include "sdbench/front/trend/trend_check.h"

namespace sdbench {
namespace {

constexpr const char* kBaselineHead = "baseline";
constexpr std::size_t kWorkloadColumn = 1; ///< in the table of cells
constexpr const char* kSpreadHead = "night to night";
constexpr const char* kOddHead = "odd";
constexpr const char* kMissingHead = "missing";

std::string value_text_of(const Metric& metric, double averaged) {
  const double value = metric.averaged_scale(averaged);
  return metric.head == metric.unit ? significant_text(value) : metric.text(value);
}

std::string baseline_text(const Metric& metric, const Night& night) {
  return night.standing.baseline ? value_text_of(metric, night.standing.baseline.value_or(0)) : "";
}

/// "0.96x": the night relative to its baseline.
std::string beside_baseline(const Metric& metric, const Night& night) {
  if (!night.standing.baseline) {
    return "";
  }
  PooledFigure baseline;
  baseline.mean = night.standing.baseline.value_or(0);
  return significant_text(relative_to(metric, *night.figure, baseline).value) + "x";
}

/// "failed" (the last night), "no figure" (all nights), "slower since 2026-01-21", "steady", or
/// "too few nights".
std::string standing_words(const Metric& metric, const CellTrend& trend, const ResultTable& table) {
  const Night& last_night = trend.nights.back();
  const std::size_t measured = trend.measured().size();
  if (!last_night.figure && !failure_of(last_night, table).empty()) {
    return "failed";
  }
  if (measured == 0) {
    return "no figure";
  }
  if (measured < kLeastNightsBefore + kNightsThatProve) {
    return "too few nights";
  }
  if (trend.changes.empty()) {
    return "steady";
  }
  const LevelChange& change = trend.changes.back();
  const bool is_better = (change.after.mean > change.before.mean) == metric.prefers_larger_mean();
  return std::string(word_of(is_better ? Verdict::kFaster : Verdict::kSlower, metric)) + " since " +
         date_text(trend.nights[change.night].day);
}

void erase_column(ViewTable& view, std::size_t column) {
  view.columns.erase(view.columns.begin() + static_cast<std::ptrdiff_t>(column));
  for (ViewRow& row : view.rows) {
    row.cells.erase(row.cells.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

/// Drops columns from `first` on that are empty in all rows.
void drop_empty_columns(ViewTable& view, std::size_t first) {
  for (std::size_t column = view.columns.size(); column-- > first;) {
    const bool is_empty = std::ranges::all_of(
        view.rows, [&](const ViewRow& row) { return row.cells[column].empty(); });
    if (is_empty) {
      erase_column(view, column);
    }
  }
}

/// " of WORKLOAD" if all cells share it. Drops the column then, because the figures need the room.
std::string taken_workload(ViewTable& view) {
  const std::string workload = view.rows.front().cells[kWorkloadColumn];
  if (!std::ranges::all_of(
          view.rows, [&](const ViewRow& row) { return row.cells[kWorkloadColumn] == workload; })) {
    return "";
  }
  erase_column(view, kWorkloadColumn);
  --view.name_columns;
  return " of " + workload;
}

std::string count_text(std::int64_t count) {
  return count > 0 ? std::to_string(count) : "";
}

std::string share_text(const std::optional<double>& share) {
  return share ? significant_text(100 * *share, 2) + " %" : "";
}

ViewRow cell_row(const Trends& trends, const CellTrend& trend, const ResultTable& table,
                 std::size_t number) {
  const Metric& metric = trends.comparison.metric;
  const Pool& pool = trends.comparison.pools[trend.pool];
  const std::vector<std::size_t> measured = trend.measured();
  const std::string standing = standing_words(metric, trend, table);
  ViewRow row;
  row.cells = {std::to_string(number), trends.comparison.columns[pool.column].name,
               trends.comparison.lines[pool.line].name};
  if (measured.empty()) {
    row.cells.insert(row.cells.end(), {"", "", ""});
  } else {
    const Night& last = trend.nights[measured.back()];
    row.cells.insert(row.cells.end(), {value_text_of(metric, last.figure->mean),
                                       baseline_text(metric, last), beside_baseline(metric, last)});
  }
  row.cells.push_back(standing);
  const bool is_bad = measured.empty() || standing == "failed" ||
                      standing.starts_with(word_of(Verdict::kSlower, metric));
  row.tone = is_bad ? Tone::kBad : Tone::kPlain;
  return row;
}

ViewTable cells_table(const Trends& trends, const ResultTable& table) {
  ViewTable view;
  view.title = kCellsTitle;
  view.whole_form = "json";
  view.name_columns = 3;
  view.wraps = true;
  view.columns = {{"#", true, 0},           {"workload", false, 0},
                  {"machine", false, 0},    {trends.comparison.metric.head, true, 0},
                  {kBaselineHead, true, 0}, {"relative", true, 1},
                  {"trend", false, 0}};
  for (std::size_t i = 0; i < trends.trends.size(); ++i) {
    view.rows.push_back(cell_row(trends, trends.trends[i], table, i + 1));
  }
  drop_empty_columns(view, view.name_columns);
  view.legends = {
      {{kBaselineHead},
       "baseline: the median of up to " + std::to_string(kBaselineNights) +
           " nights before; for the first nights after a change, of the nights before the change"}};
  return view;
}

ViewRow nights_row(const CellTrend& trend, std::size_t number) {
  const std::vector<std::size_t> measured = trend.measured();
  const auto odd =
      std::ranges::count_if(trend.nights, [](const Night& night) { return night.standing.is_odd; });
  const auto failed =
      std::ranges::count_if(trend.nights, [](const Night& night) { return !night.failed.empty(); });
  return {.cells = {std::to_string(number), std::to_string(measured.size()),
                    measured.empty() ? "" : date_text(trend.nights[measured.back()].day),
                    share_text(trend.spread), count_text(odd), count_text(trend.missing_nights),
                    count_text(failed)}};
}

ViewTable nights_table(const Trends& trends, const ResultTable& table) {
  ViewTable view;
  view.title = "Their nights";
  view.whole_form = "json";
  view.columns = {{"#", true, 0},         {"nights", true, 0}, {"last figure", false, 0},
                  {kSpreadHead, true, 0}, {kOddHead, true, 0}, {kMissingHead, true, 0},
                  {"failed", true, 0}};
  for (std::size_t i = 0; i < trends.trends.size(); ++i) {
    view.rows.push_back(nights_row(trends.trends[i], i + 1));
    if (const std::string failed = failed_nights_text(trends.trends[i], table); !failed.empty()) {
      view.remarks.push_back(std::to_string(i + 1) + "  failed: " + failed);
    }
  }
  drop_empty_columns(view, view.name_columns);
  view.legends = {
      {{kSpreadHead},
       "night to night: standard deviation of the nights around their level, at least 0.3 %"},
      {{kOddHead},
       "odd: nights farther from their level than five standard deviations and 5 %; they change no "
       "level"},
      {{kMissingHead},
       "missing: nights without a row, estimated from the usual distance between nights"}};
  return view;
}

ViewTable changes_table(const Trends& trends) {
  const Metric& metric = trends.comparison.metric;
  ViewTable view;
  view.title = "Changes";
  view.whole_form = "json";
  view.name_columns = 2;
  view.columns = {{"#", true, 0},
                  {"since", false, 0},
                  {"before", true, 0},
                  {"after", true, 0},
                  {"relative", true, 0},
                  {"its 95 % interval", false, 1},
                  {"what changed there", false, 0, Cells::kLines}};
  for (std::size_t i = 0; i < trends.trends.size(); ++i) {
    for (const LevelChange& change : trends.trends[i].changes) {
      const Ratio ratio = relative_to(metric, change.after, change.before);
      const std::string fields = changed_fields_text(change);
      view.rows.push_back(
          {.cells = {std::to_string(i + 1), date_text(trends.trends[i].nights[change.night].day),
                     value_text_of(metric, change.before.mean),
                     value_text_of(metric, change.after.mean), significant_text(ratio.value) + "x",
                     ratio.interval ? significant_text(ratio.interval->low) + " to " +
                                          significant_text(ratio.interval->high)
                                    : "",
                     fields.empty() ? "no recorded field explains it" : fields}});
    }
  }
  return view;
}

} // namespace

View trend_view(const Trends& trends, const ResultTable& table) {
  const Metric& metric = trends.comparison.metric;
  View view;
  view.command = "trend";
  ViewTable cells = cells_table(trends, table);
  const std::string workload = cells.rows.empty() ? "" : taken_workload(cells);
  view.head = std::string(metric.name) + workload +
              " by night: " + (metric.more_is_better ? "more" : "less") +
              " is better; relative to the baseline" + (metric.is_speed() ? " as speed" : "");
  view.tables.push_back(std::move(cells));
  view.tables.push_back(nights_table(trends, table));
  ViewTable changes = changes_table(trends);
  if (changes.rows.empty()) {
    view.remarks.emplace_back("no cell has changed its level");
  } else {
    view.tables.push_back(std::move(changes));
  }
  return view;
}

} // namespace sdbench
