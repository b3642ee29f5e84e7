#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/tags.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/compare/compare_fields.h"
#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/compare/compare_view.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/explain.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/published.h"
#include "sdbench/front/compare/row_filter.h"
#include "sdbench/front/options/compare_arguments.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/reproduce/slower_gate.h"
#include "sdbench/front/results/redact.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/sink/sink_set.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/streams.h"
#include "sdbench/front/terminal/table_output.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {
namespace {

/// The text of all comparisons: their tables or, in data formats, their places.
std::string formatted(const std::vector<Comparison>& comparisons, const ResultTable& table,
                      const CompareArguments& parsed, const Streams& streams) {
  const Published published =
      parsed.with_published ? read_published(share_folder() / "published") : Published{};
  const bool is_data = parsed.format == "csv" || parsed.format == "json";
  nlohmann::ordered_json data;
  std::vector<View> views;
  for (const Comparison& comparison : comparisons) {
    if (is_data) {
      nlohmann::ordered_json of_metric = to_json(comparison, table, parsed.fields);
      add_published(of_metric, comparison, table, published);
      if (!parsed.fields.empty()) {
        keep_fields(of_metric, parsed.fields);
      }
      if (data.is_null()) {
        data = std::move(of_metric);
      } else {
        std::ranges::move(of_metric["places"], std::back_inserter(data["places"]));
      }
      continue;
    }
    View& view = views.emplace_back(compare_view(comparison, table, parsed.missing, parsed.fields));
    view.title = views.size() == 1 ? parsed.title : "";
    std::vector<ViewTable> of_others = published_tables(comparison, table, published);
    if (parsed.with_published && of_others.empty()) {
      view.remarks.emplace_back("published: there is no published figure of the same work");
    }
    std::ranges::move(of_others, std::back_inserter(view.tables));
  }
  return !is_data                 ? text_of_views(views, {parsed.output, parsed.format}, streams)
         : parsed.format == "csv" ? to_csv(data)
                                  : to_json_text(data);
}

/// The comparisons in the format asked for. For a file that may be shared, removes private fields
/// from a copy of the table, after the comparison is done.
std::string text_of(std::vector<Comparison> comparisons, const ResultTable& table,
                    const CompareArguments& parsed, const Streams& streams) {
  const auto explained =
      parsed.explain.empty()
          ? ExplainedRows()
          : explained_rows(comparisons.front(), table, parsed.explain[0], parsed.explain[1]);
  std::optional<ResultTable> shared;
  if (!parsed.is_private) {
    shared = table.copy();
    Redactor(all_redactions()).redact(*shared);
    for (Comparison& comparison : comparisons) {
      name_anew(comparison, *shared, parsed.options);
    }
  }
  const ResultTable& shown = shared ? *shared : table;
  return parsed.explain.empty() ? formatted(comparisons, shown, parsed, streams)
                                : explain(comparisons.front(), shown, explained);
}

std::vector<Comparison> compared_by(const std::vector<Metric>& metrics, const ResultTable& table,
                                    std::span<const std::size_t> rows, CompareOptions options) {
  std::vector<Comparison> comparisons;
  for (const Metric& metric : metrics) {
    options.metric = metric;
    comparisons.push_back(compare_rows(table, rows, options));
  }
  return comparisons;
}

/// Removes tags of other keys, so that they do not tell rows apart.
void keep_tags(ResultTable& table, const std::vector<std::string>& keys) {
  for (std::size_t row = 0; row < table.size(); ++row) {
    table.set(row, FieldName("tags").place(), tags_of(table.text(row, "tags"), keys));
  }
}

/// A key that no row has would give all rows the same name.
void refuse_unknown_tags(const ResultTable& table, std::span<const std::size_t> rows,
                         const std::vector<std::string>& keys) {
  std::set<std::string> known;
  for (const std::size_t row : rows) {
    for (const std::string_view tag : split(table.text(row, "tags"), ' ')) {
      if (!tag.empty()) {
        known.insert(std::string(kTagPrefix) + std::string(tag.substr(0, tag.find('='))));
      }
    }
  }
  for (const std::string& key : keys) {
    const std::string name = std::string(kTagPrefix) + key;
    if (!known.contains(name)) {
      throw UsageError("--rows and --columns must name tags that a row has, but none has " + name +
                       (known.empty()
                            ? "; --tag KEY=VALUE gives rows their tags"
                            : "; there is " + listed({known.begin(), known.end()}, "and")));
    }
  }
}

/// Checked first, so that this error does not appear only when the gate must fail.
void refuse_other_machines(const ResultTable& table, std::span<const std::size_t> rows) {
  const std::string host = current_context().host;
  if (std::ranges::none_of(rows,
                           [&](std::size_t row) { return table.text(row, "host") == host; })) {
    throw UsageError(
        "--confirm must have a cell that can run here, but no row is of this machine (" + host +
        ")");
  }
}

/// Checked first, too: rows that run again are saved in the default files, because compare has no
/// option for them.
void refuse_no_folder() {
  try {
    (void)default_outputs(current_context().host);
  } catch (const Error&) {
    throw Error("--confirm must save its rows in a folder sdbench-results here, but that cannot be "
                "made; start it in a folder that can be written");
  }
}

} // namespace

int compare_command(const std::vector<std::string>& arguments, const Streams& streams,
                    const ExecutorFactory& make_executor) {
  auto parsed = parse_compare_arguments(arguments, streams.out);
  if (!parsed) {
    return kExitSuccess;
  }
  const TableOutput output{parsed->output, parsed->format};
  if (!parsed->overwrite) {
    refuse_to_replace_others(output, is_comparison, "a comparison");
  }
  Results results = read_results(parsed->paths);
  const ResultTable& table = results.table;
  say_remarks(results, streams);
  if (table.size() == 0) {
    throw Error("there must be a record to compare, but the files hold none");
  }
  const std::vector<std::size_t> rows = filtered_rows(table, parsed->filters);
  if (rows.empty()) {
    throw UsageError(why_none_is_left(table, parsed->filters));
  }
  refuse_unknown_tags(table, rows, parsed->tag_keys);
  if (!parsed->tag_keys.empty()) {
    keep_tags(results.table, parsed->tag_keys);
  }
  if (parsed->confirm) {
    refuse_other_machines(table, rows);
    refuse_no_folder();
  }
  const bool metric_given = !parsed->metrics.empty();
  const auto metrics =
      metric_given ? parsed->metrics : std::vector{find_metric(usual_metric(table, rows))};
  const auto comparisons = compared_by(metrics, table, rows, parsed->options);
  const std::string text = text_of(comparisons, table, *parsed, streams);
  put_tables(text, output, "compare", streams);
  if (!parsed->slower_limit) {
    return kExitSuccess;
  }
  SlowerGate gate(metric_given
                      ? comparisons
                      : compared_by(judged_metrics(table, rows), table, rows, parsed->options),
                  table, *parsed->slower_limit, metric_given, streams);
  if (parsed->confirm) {
    if (const std::optional<int> interrupted = gate.confirm(make_executor, parsed->timeout_s)) {
      return *interrupted;
    }
  }
  return gate.verdict();
}

} // namespace sdbench
