#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/row_filter.h"
#include "sdbench/front/options/trend_arguments.h"
#include "sdbench/front/results/redact.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/streams.h"
#include "sdbench/front/terminal/table_output.h"
#include "sdbench/front/trend/cell_trend.h"
#include "sdbench/front/trend/trend_check.h"
#include "sdbench/front/trend/trend_formats.h"
#include "sdbench/front/trend/trend_view.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {
namespace {

std::vector<Trends> trends_by(const std::vector<Metric>& metrics, const ResultTable& table,
                              std::span<const std::size_t> rows) {
  return mapped(metrics,
                [&](const Metric& metric) { return cell_trends(table, rows, metric, utc_now()); });
}

std::vector<JudgedTrends> judged(const std::vector<Trends>& trends, const ResultTable& table,
                                 double limit) {
  return mapped(trends, [&](const Trends& one) -> JudgedTrends {
    return {&one, check_trends(one, table, limit)};
  });
}

/// The text of all metrics: their tables or, as JSON, their cells.
std::string formatted_trends(const std::vector<Trends>& trends, const ResultTable& table,
                             const TrendArguments& parsed, const Streams& streams) {
  nlohmann::ordered_json data;
  std::vector<View> views;
  for (const Trends& one : trends) {
    if (parsed.format == "json") {
      nlohmann::ordered_json of_metric = to_json(one, table);
      std::ranges::move(of_metric["trends"], std::back_inserter(data["trends"]));
      continue;
    }
    views.push_back(trend_view(one, table));
    views.back().title = views.size() == 1 ? parsed.title : "";
  }
  return parsed.format == "json" ? data.dump(2) + "\n"
                                 : text_of_views(views, {parsed.output, parsed.format}, streams);
}

/// The text of the trends, or a JUnit report of those that are judged. Private fields are removed
/// unless asked for.
std::string text_of_trends(std::vector<Trends> shown, std::vector<Trends> gate,
                           const ResultTable& table, const TrendArguments& parsed,
                           const Streams& streams) {
  std::optional<ResultTable> shared;
  if (!parsed.is_private) {
    shared = table.copy();
    Redactor(all_redactions()).redact(*shared);
    for (std::vector<Trends>* list : {&shown, &gate}) {
      for (Trends& one : *list) {
        name_trends_anew(one, *shared);
      }
    }
  }
  const ResultTable& words = shared ? *shared : table;
  return parsed.format == "junit" ? to_junit(judged(gate, words, *parsed.slower_limit))
                                  : formatted_trends(shown, words, parsed, streams);
}

/// Prints one line per cell and reason, with the metrics that it applies to. Returns the exit code.
/// `metrics_given`: the user named the metrics, so each must have something to judge.
int say_findings(const std::vector<Trends>& trends, const ResultTable& table, double limit,
                 bool metrics_given, const Streams& streams) {
  using Kind = TrendFinding::Kind;
  struct Said {
    Kind kind;
    std::string before;
  };
  const Said order[] = {{Kind::kNotJudged, "not judged: "},
                        {Kind::kUndecided, "not decided: "},
                        {Kind::kBroken, "failed: "},
                        {Kind::kSlower, "slower by " + percent_words(limit) + " or more: "}};
  const std::vector<JudgedTrends> all = judged(trends, table, limit);
  std::vector<std::string> names;
  std::vector<std::string> unjudged;
  for (const JudgedTrends& one : all) {
    (one.findings.empty() ? unjudged : names).emplace_back(one.trends->comparison.metric.name);
  }
  std::set<Kind> met;
  if (!names.empty()) {
    streams.say("judged by " + listed(names, "and"));
  }
  if (names.empty() || (metrics_given && !unjudged.empty())) {
    streams.say("not decided: no cell has " + listed(unjudged, "or"));
    met.insert(Kind::kUndecided);
  }
  for (const auto& [kind, before] : order) {
    std::map<std::string, std::vector<std::string>> metrics; // by words
    for (const JudgedTrends& one : all) {
      for (const TrendFinding& finding : one.findings) {
        met.insert(finding.kind);
        if (finding.kind == kind) {
          metrics[cell_name(*one.trends, one.trends->trends[finding.trend]) + ": " + finding.words]
              .emplace_back(one.trends->comparison.metric.name);
        }
      }
    }
    for (const auto& [words, of] : metrics) {
      streams.say(before + words + " (by " + listed(of, "and") + ")");
    }
  }
  return met.contains(Kind::kSlower) || met.contains(Kind::kBroken) ? kExitMissed
         : met.contains(Kind::kUndecided)                           ? kExitUndecided
                                                                    : kExitSuccess;
}

/// Tells the user if all rows are of one date, which shows no trend.
void say_one_night(const Trends& trends, const Streams& streams) {
  std::set<std::int64_t> days;
  for (const CellTrend& trend : trends.trends) {
    for (const Night& night : trend.nights) {
      days.insert(night.day);
    }
  }
  if (days.size() == 1) {
    streams.say("all rows are of one night, " + date_text(*days.begin()) +
                ": a trend needs several nights");
  }
}

} // namespace

int trend_command(const std::vector<std::string>& arguments, const Streams& streams) {
  const auto parsed = parse_trend_arguments(arguments, streams.out);
  if (!parsed) {
    return kExitSuccess;
  }
  const TableOutput output{parsed->output, parsed->format};
  if (!parsed->overwrite) {
    refuse_to_replace_others(output, is_trend, "a trend");
  }
  const Results results = read_results(parsed->paths);
  const ResultTable& table = results.table;
  say_remarks(results, streams);
  if (table.size() == 0) {
    throw Error("there must be a record to show over dates, but the files hold none");
  }
  const std::vector<std::size_t> rows = filtered_rows(table, parsed->filters);
  if (rows.empty()) {
    throw UsageError(why_none_is_left(table, parsed->filters));
  }
  const bool metric_given = !parsed->metrics.empty();
  const std::vector<Trends> shown = trends_by(
      metric_given ? parsed->metrics : std::vector{find_metric(usual_metric(table, rows))}, table,
      rows);
  for (const std::string& remark : shown.front().remarks) {
    streams.say(remark);
  }
  if (shown.front().trends.empty()) {
    throw Error("a trend must have a row with a possible date, but has none");
  }
  say_one_night(shown.front(), streams);
  const std::vector<Trends> gate = !parsed->slower_limit ? std::vector<Trends>()
                                   : metric_given
                                       ? shown
                                       : trends_by(judged_metrics(table, rows), table, rows);
  const std::string text = text_of_trends(shown, gate, table, *parsed, streams);
  put_tables(text, output, "trend", streams);
  return parsed->slower_limit
             ? say_findings(gate, table, *parsed->slower_limit, metric_given, streams)
             : kExitSuccess;
}

} // namespace sdbench
