#include "compare_command.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <utility>

#include "compare_arguments.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/json_io.h"
#include "sdbench/base/core/own_file.h"
#include "sdbench/base/core/units.h"
#include "sdbench/front/cli/exit_code.h"
#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/compare/compare_view.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/explain.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/published.h"
#include "sdbench/front/compare/row_filter.h"
#include "sdbench/front/compare/slower_check.h"
#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/redact.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/percent_words.h"
#include "sdbench/front/words/screen.h"
#include "sdbench/front/words/text_form.h"
#include "sdbench/front/words/view_forms.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {
namespace {

void say_remarks(const ReadRemarks& remarks, const Streams& streams) {
  constexpr std::size_t kMostSaid = 20;
  const std::vector<BadRow>& bad = remarks.bad;
  for (std::size_t i = 0; i < std::min(bad.size(), kMostSaid); ++i) {
    streams.say("left out: " + bad[i].text());
  }
  if (bad.size() > kMostSaid) {
    streams.say("left out: " + std::to_string(bad.size() - kMostSaid) + " more");
  }
  for (const BadRow& row : remarks.doubtful) {
    streams.say("doubtful: " + row.text());
  }
}

/// A comparison is made again in a second; what it would replace may not be.
void refuse_to_replace_others(const CompareArguments& parsed) {
  const std::string there = standing_text(parsed.output);
  if (parsed.overwrite || there.empty() || is_comparison(there, parsed.format)) {
    return;
  }
  const std::size_t rows =
      keeps_records(parsed.output) ? read_results({parsed.output}).table.size() : 0;
  refuse_loss(parsed.output, rows > 0
                                 ? counted(static_cast<std::int64_t>(rows), "row") + " of results"
                                 : "something else than a comparison of this form");
}

std::string formatted(const Comparison& comparison, const ResultTable& table,
                      const CompareArguments& parsed, const Streams& streams) {
  const Published published =
      parsed.with_published ? read_published(share_folder() / "published") : Published{};
  if (parsed.format == "csv" || parsed.format == "json") {
    nlohmann::ordered_json data = to_json(comparison, table);
    add_published(data, comparison, table, published);
    return parsed.format == "csv" ? to_csv(data) : to_json_text(data);
  }
  View view = compare_view(comparison, table);
  std::ranges::move(published_tables(comparison, table, published),
                    std::back_inserter(view.tables));
  if (const ViewForm* form = find_view_form(parsed.format)) {
    return form->text(view);
  }
  return to_text(view, parsed.output.empty() ? streams.screen() : Screen{});
}

/// The comparison in its form. For a file that may be shared the table loses what is private, after
/// everything was found by it.
std::string text_of(Comparison comparison, ResultTable& table, const CompareArguments& parsed,
                    const Streams& streams) {
  const auto explained =
      parsed.explain.empty()
          ? std::pair<ExplainedRow, ExplainedRow>()
          : explained_rows(comparison, table, parsed.explain[0], parsed.explain[1]);
  if (!parsed.is_private) {
    Redactor(all_redactions()).redact(table);
    name_anew(comparison, table, parsed.options);
  }
  return parsed.explain.empty() ? formatted(comparison, table, parsed, streams)
                                : explain(comparison, table, explained);
}

int judge_slower(const Comparison& comparison, const ResultTable& table, double limit,
                 const Streams& streams) {
  const SlowerCheck check = check_slower(comparison, table, limit);
  const auto say = [&](const std::string& what, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      streams.say(what + line);
    }
  };
  say("not compared, for nothing stands beside it: ", check.missing);
  say("slower, but not for sure: ", check.uncertain);
  if (check.compared == 0) {
    throw Error("--fail-if-slower must have rows to compare with the baseline " +
                in_quotes(comparison.baseline) +
                ", but there is none of the same work and settings");
  }
  say("failed, and the baseline did not: ", check.broken);
  say("slower by " + percent_words(limit) + " or more: ", check.slower);
  return check.broken.empty() && check.slower.empty() ? kExitSuccess : kExitMissed;
}

} // namespace

int compare_command(const std::vector<std::string>& arguments, const Streams& streams) {
  auto parsed = parse_compare_arguments(arguments, streams.out);
  if (!parsed) {
    return kExitSuccess;
  }
  refuse_to_replace_others(*parsed);
  Results results = read_results(parsed->paths);
  say_remarks(results, streams);
  if (results.table.size() == 0) {
    throw Error("there must be a record to compare, but the files hold none");
  }
  const std::vector<std::size_t> rows = filtered_rows(results.table, parsed->filters);
  if (rows.empty()) {
    throw UsageError(why_none_is_left(results.table, parsed->filters));
  }
  if (!parsed->metric_given) {
    parsed->options.metric = find_metric(usual_metric(results.table, rows));
  }
  const Comparison comparison = compare_rows(results.table, rows, parsed->options);
  const std::string text = text_of(comparison, results.table, *parsed, streams);
  if (parsed->output.empty()) {
    streams.out << streams.shown(text);
  } else {
    const ViewForm* form = find_view_form(parsed->format);
    const bool has_mark = form != nullptr && form->comment;
    write_file_atomically(parsed->output,
                          (has_mark ? file_mark(*form->comment, "compare") : "") + text);
  }
  return parsed->slower_limit
             ? judge_slower(comparison, results.table, *parsed->slower_limit, streams)
             : kExitSuccess;
}

} // namespace sdbench
