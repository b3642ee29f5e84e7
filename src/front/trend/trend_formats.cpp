#include "sdbench/front/trend/trend_formats.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>

#include "sdbench/base/files/own_file.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/confidence.h"
#include "sdbench/front/trend/trend_view.h"
#include "sdbench/front/words/markup_forms.h"
#include "sdbench/front/words/view_forms.h"

namespace sdbench {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Kind = TrendFinding::Kind;

constexpr std::string_view kSuite = "<testsuites name=\"sdbench trend\"";
constexpr std::string_view kXmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

OrderedJson number_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? OrderedJson(*value) : OrderedJson();
}

/// The value in the metric's own unit.
std::optional<double> in_unit(const Metric& metric, const std::optional<double>& averaged) {
  return averaged ? std::optional(metric.averaged_scale(*averaged)) : std::nullopt;
}

OrderedJson night_json(const Metric& metric, const Night& night) {
  return {{"date", date_text(night.day)},
          {"value", number_or_null(in_unit(metric, night.figure ? std::optional(night.figure->mean)
                                                                : std::nullopt))},
          {"baseline", number_or_null(in_unit(metric, night.standing.baseline))},
          {"odd", night.standing.is_odd},
          {"rows", night.rows.size()},
          {"failed", night.failed.size()},
          {"left_out", night.left_out.size()}};
}

OrderedJson change_json(const Metric& metric, const CellTrend& trend, const LevelChange& change) {
  const Ratio ratio = relative_to(metric, change.after, change.before);
  OrderedJson fields = mapped(change.fields, [](const FieldChange& field) -> OrderedJson {
    return {{"field", field.field.text()},
            {"before", escape_text(field.before)},
            {"after", escape_text(field.after)}};
  });
  return {
      {"since", date_text(trend.nights[change.night].day)},
      {"before", metric.averaged_scale(change.before.mean)},
      {"after", metric.averaged_scale(change.after.mean)},
      {"relative", ratio.value},
      {"relative_ci95_low", ratio.interval ? OrderedJson(ratio.interval->low) : OrderedJson()},
      {"relative_ci95_high", ratio.interval ? OrderedJson(ratio.interval->high) : OrderedJson()},
      {"changed", std::move(fields)}};
}

std::string kind_element(const TrendFinding& finding) {
  const std::string words = html_text(finding.words);
  switch (finding.kind) {
  case Kind::kSlower:
    return "<failure type=\"slower\" message=\"" + words + "\"/>";
  case Kind::kBroken:
    return "<failure type=\"failed\" message=\"" + words + "\"/>";
  case Kind::kUndecided:
    return "<skipped message=\"not decided: " + words + "\"/>";
  case Kind::kNotJudged:
    return "<skipped message=\"not judged: " + words + "\"/>";
  case Kind::kFine:
    break;
  }
  return "<system-out>" + words + "</system-out>";
}

std::int64_t count_kinds(std::span<const JudgedTrends> judged, std::initializer_list<Kind> kinds) {
  std::int64_t count = 0;
  for (const JudgedTrends& one : judged) {
    count += std::ranges::count_if(one.findings, [&](const TrendFinding& finding) {
      return std::ranges::find(kinds, finding.kind) != kinds.end();
    });
  }
  return count;
}

} // namespace

const std::vector<CompareFormat>& trend_formats() {
  static const std::vector<CompareFormat> formats = [] {
    std::vector<CompareFormat> all = {{"table", ".txt"}};
    for (const ViewForm& form : view_forms()) {
      all.push_back({form.name, form.extension});
    }
    all.insert(all.end(), {{"json", ".json"}, {"junit", ".xml"}});
    return all;
  }();
  return formats;
}

nlohmann::ordered_json to_json(const Trends& trends, const ResultTable& table) {
  const Comparison& comparison = trends.comparison;
  const Metric& metric = comparison.metric;
  OrderedJson cells = OrderedJson::array();
  for (const CellTrend& trend : trends.trends) {
    const Pool& pool = comparison.pools[trend.pool];
    OrderedJson nights =
        mapped(trend.nights, [&](const Night& night) { return night_json(metric, night); });
    OrderedJson changes = mapped(trend.changes, [&](const LevelChange& change) {
      return change_json(metric, trend, change);
    });
    const std::string failure = last_failure_text(trend, table);
    cells.push_back({{"workload", escape_text(comparison.columns[pool.column].name)},
                     {"machine", escape_text(comparison.lines[pool.line].name)},
                     {"workload_id", escape_text(table.text(pool.sample_row(), "workload_id"))},
                     {"metric", metric.name},
                     {"unit", metric.unit},
                     {"more_is_better", metric.more_is_better},
                     {"spread", number_or_null(trend.spread)},
                     {"missing_nights", trend.missing_nights},
                     {"failure", failure.empty() ? OrderedJson() : OrderedJson(failure)},
                     {"changes", std::move(changes)},
                     {"nights", std::move(nights)}});
  }
  return {{"trends", std::move(cells)}};
}

std::string to_junit(std::span<const JudgedTrends> judged) {
  std::int64_t all = 0;
  for (const JudgedTrends& one : judged) {
    all += static_cast<std::int64_t>(one.findings.size());
  }
  const std::string counts = " tests=\"" + std::to_string(all) + "\" failures=\"" +
                             std::to_string(count_kinds(judged, {Kind::kSlower, Kind::kBroken})) +
                             "\" errors=\"0\"";
  std::string text = std::string(kXmlHead) + std::string(kSuite) + counts + ">\n";
  text += "<testsuite name=\"sdbench trend\"" + counts + " skipped=\"" +
          std::to_string(count_kinds(judged, {Kind::kUndecided, Kind::kNotJudged})) + "\">\n";
  for (const JudgedTrends& one : judged) {
    for (const TrendFinding& finding : one.findings) {
      const Comparison& comparison = one.trends->comparison;
      const Pool& pool = comparison.pools[one.trends->trends[finding.trend].pool];
      text +=
          "<testcase classname=\"" + html_text(comparison.columns[pool.column].name) +
          "\" name=\"" +
          html_text(comparison.lines[pool.line].name + ", " + std::string(comparison.metric.name)) +
          "\">" + kind_element(finding) + "</testcase>\n";
    }
  }
  return text + "</testsuite>\n</testsuites>\n";
}

bool is_trend(std::string_view text, std::string_view format) {
  const ViewForm* form = find_view_form(format);
  if (form != nullptr && !form->comment) {
    return is_page_of(text, "trend");
  }
  if (form != nullptr) {
    std::string more;
    return read_file_mark(text, *form->comment, "trend", more);
  }
  if (format == "json") {
    return text.starts_with("{\n  \"trends\":");
  }
  if (format == "junit") {
    return text.starts_with(std::string(kXmlHead) + std::string(kSuite));
  }
  const std::size_t cells = text.find(kCellsTitle); // a title may stand above
  return cells != std::string_view::npos &&
         text.substr(0, cells).find(" by night: ") != std::string_view::npos;
}

} // namespace sdbench
