#include "sdbench/front/options/compare_arguments.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <system_error>

#include "option_values.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/tags.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/results/shared_fields.h"

namespace sdbench {
namespace {

constexpr const char* kCompareExamples =
    R"(Examples:
  sdbench compare desk.csv laptop.csv server/       files and folders, of any machines
  sdbench compare *.csv --metric unet_it_s --filter model=sdxl
  sdbench compare before.csv after.csv --baseline before.csv --fail-if-slower 5%
  sdbench compare *.csv --explain 1 2               why they differ

Exit code: 0 compared; 1 no record, nothing to compare with the baseline, or -o would destroy other
data; 2 wrong command. With --fail-if-slower: 4 a row is slower or failed; 5 no row is, but some are
undecided; 130 --confirm was interrupted.)";

double seconds_of(const std::string& option, const std::string& text) {
  const auto seconds = parse_number(text);
  if (!seconds || !(*seconds > 0) || !std::isfinite(*seconds)) {
    throw UsageError(option + " must be seconds above zero, but is " + in_quotes(text));
  }
  return *seconds;
}

constexpr const char* kPoolRows = "rows";

/// True for --pool cards.
bool is_of_cards(const std::string& word) {
  const std::vector<std::string> words = {kPoolRows, "cards"};
  if (std::ranges::find(words, word) == words.end()) {
    throw UsageError("--pool must be " + listed(words, "or") + ", but is " + in_quotes(word) +
                     did_you_mean(word, words));
  }
  return word != kPoolRows;
}

/// Reads "device_name,tag:cooler". The key of a tag stands for the field tags and is added to
/// `tag_keys`.
std::vector<std::size_t> fields_of(const CLI::Option* option, std::vector<std::string>& tag_keys) {
  const std::string name_of_option = option->get_name();
  const std::string list = single_value(option, "");
  std::vector<std::size_t> fields;
  for (const std::string_view name :
       list.empty() ? std::vector<std::string_view>() : split(list, ',')) {
    const std::string key = tag_key_of(name, name_of_option);
    const std::size_t field = key.empty() ? asked_field(name, name_of_option) : field_index("tags");
    if (std::ranges::find(fields, field) == fields.end()) {
      fields.push_back(field);
    }
    if (!key.empty()) {
      tag_keys.push_back(key);
    }
  }
  return fields;
}

/// Puts the baseline's file first, because the first copy of a run counts. Adds it if it was not
/// given as a file, so that it need not be named twice.
void put_baseline_first(CompareArguments& parsed) {
  const std::filesystem::path baseline = parsed.options.baseline;
  const auto given = std::ranges::find(parsed.paths, baseline);
  std::error_code none;
  if (given != parsed.paths.end()) {
    std::rotate(parsed.paths.begin(), given, given + 1);
  } else if (std::filesystem::is_regular_file(baseline, none)) {
    parsed.paths.insert(parsed.paths.begin(), baseline);
  }
}

/// Refuses fields that -o leaves out, because they tell no rows apart there. Fields with made-up
/// names do.
void check_shared(const std::string& option, FieldName field) {
  const bool is_made_up =
      field == FieldName("host") || field == FieldName("device_uuid") || field == FieldName("tags");
  if (!may_be_shared(field) && !is_made_up) {
    throw UsageError(option + " must name fields that -o writes, but " + std::string(field.text()) +
                     " is left out of a file that may be shared; add --private");
  }
}

void require(bool holds, const std::string& otherwise) {
  if (!holds) {
    throw UsageError(otherwise);
  }
}

void check_grouping(const std::string& option, const std::vector<std::size_t>& fields,
                    const CompareArguments& parsed) {
  for (const std::size_t field : parsed.is_private ? std::vector<std::size_t>() : fields) {
    check_shared(option, FieldName::at(field));
  }
}

void check_field(const CompareField& field, const CompareArguments& parsed) {
  require(parsed.is_private || field.tag.empty(),
          "--fields must name fields that -o writes, but the values of " + field.name +
              " are left out of a file that may be shared; add --private");
  if (!parsed.is_private && field.field) {
    check_shared("--fields", FieldName::at(*field.field));
  }
  const std::vector<std::string>& shown = parsed.tag_keys;
  require(field.tag.empty() || shown.empty() || std::ranges::find(shown, field.tag) != shown.end(),
          "--fields must name only tags that --rows or --columns also name, but names " +
              field.name + "; add it to one of these");
}

void check_tags(const CompareOptions& options) {
  const std::size_t tags = field_index("tags");
  require(std::ranges::count(options.row_fields, tags) == 0 ||
              std::ranges::count(options.column_fields, tags) == 0,
          "--rows and --columns must not both name tags, but do; take one of them");
}

void check_missing(const CompareArguments& parsed) {
  require(parsed.is_private,
          "--missing must be given with --private if -o writes a file, but is "
          "not: the commands that it prints name your files and runs; add --private");
  require(
      parsed.format != "csv" && parsed.format != "json",
      "--missing must be given with a format for people, such as table or md, but the format is " +
          parsed.format);
}

void check_confirm(const CompareArguments& parsed) {
  require(!parsed.confirm || parsed.slower_limit,
          "--confirm must be given with --fail-if-slower, but is given without it; add "
          "--fail-if-slower 5%");
  require(!parsed.confirm || !parsed.options.pools_cards,
          "--confirm must be given without --pool cards, because this machine cannot measure other "
          "machines' cards again, but is given with it; leave one of them out");
  require(
      !parsed.timeout_s || parsed.confirm,
      "--timeout must be given with --confirm, but is given without it: without --confirm nothing "
      "runs; leave it out");
}

void check_explain(const CompareArguments& parsed) {
  require(parsed.metrics.size() <= 1,
          "--explain must be given with one --metric, but is given with " +
              std::to_string(parsed.metrics.size()));
  require(parsed.explain.size() == 2,
          "--explain must be followed by two rows, but is followed by " +
              std::to_string(parsed.explain.size()) + "; write for example --explain 1 2");
  require(parsed.fields.empty(), "--fields must be given without --explain, which lists all "
                                 "fields, but is given with it; leave it out");
  require(parsed.title.empty(), "--title must be given without --explain, which writes no table, "
                                "but is given with it; leave it out");
  require(parsed.format == "table",
          "--explain must be given with --format table, but the format is " +
              in_quotes(parsed.format));
}

void check_together(const CompareArguments& parsed) {
  require(!parsed.paths.empty(),
          "compare must be followed by files or folders with records, but there is none; write for "
          "example sdbench compare sdbench-results");
  require(!parsed.slower_limit || parsed.options.baseline != kBestBaseline,
          "--fail-if-slower must be given with a --baseline other than best, but is not; add "
          "--baseline with the file, host or label to compare with");
  check_grouping("--rows", parsed.options.row_fields, parsed);
  check_grouping("--columns", parsed.options.column_fields, parsed);
  for (const CompareField& field : parsed.fields) {
    check_field(field, parsed);
  }
  check_tags(parsed.options);
  if (parsed.missing) {
    check_missing(parsed);
  }
  check_confirm(parsed);
  if (!parsed.explain.empty()) {
    check_explain(parsed);
  }
}

} // namespace

std::optional<CompareArguments> parse_compare_arguments(const std::vector<std::string>& arguments,
                                                        std::ostream& out) {
  CLI::App app(
      "Compares results of any machines: a column for each workload, a row for each machine.",
      "sdbench compare");
  app.footer(kCompareExamples);
  const char* const what = "What is compared";
  const char* const how = "How";
  const RowOptions taken(app, what);
  const auto* rows = add_text_option(app, "--rows", "FIELD[,FIELD]",
                                     "fields that tell table rows apart (the machine)", what);
  const auto* columns =
      add_text_option(app, "--columns", "FIELD[,FIELD]",
                      "fields that tell columns apart, besides the workload", what);
  const auto* published =
      add_flag(app, "--with-published", "also show published figures of the same work", what);
  const auto* missing = add_flag(
      app, "--missing", "print commands to measure missing cells; with -o, add --private", what);
  const auto* baseline =
      add_text_option(app, "--baseline", "NAME|FILE",
                      "compare with this file, host, label, device, run_id or row (best)", how);
  const auto* threshold =
      add_text_option(app, "--threshold", "PERCENT", "treat smaller differences as none (1%)", how);
  const auto* pool = add_text_option(app, "--pool", "NAME",
                                     "intervals between: rows, or cards of one model (rows)", how);
  const auto* slower =
      add_text_option(app, "--fail-if-slower", "PERCENT",
                      "exit code 4 if a row is this much slower than the baseline", how);
  const auto* confirm = add_flag(
      app, "--confirm", "with --fail-if-slower: repeat slow and failed cells on this host", how);
  const auto* timeout =
      add_text_option(app, "--timeout", "SECONDS",
                      "with --confirm: end a cell whose worker is silent this long (600)", how);
  const auto* explained =
      add_text_option(app, "--explain", "ROW", "list all fields in which two rows differ", how)
          ->expected(2);
  const auto* format = add_text_option(app, "--format", "NAME",
                                       listed(names_of(compare_formats())) + " (table)", "Output");
  const auto* output = add_text_option(app, "-o,--output", "FILE",
                                       "write to a file; its ending gives the format", "Output");
  const auto* fields =
      add_text_option(app, "--fields", "NAME[,NAME]",
                      "columns of the output: value, verdict, any record field, tag:KEY", "Output");
  const auto* title = add_title_option(app, "Output");
  const auto* overwrite = add_overwrite_flag(app, "Output");
  const auto* keeps_private =
      add_flag(app, "--private", "do not remove host names, labels and the like", "Output");
  if (!parse_arguments(app, arguments, out)) {
    return std::nullopt;
  }
  CompareArguments parsed;
  parsed.paths = taken.paths();
  parsed.metrics = taken.metrics();
  if (fields->count() > 0) {
    parsed.fields = find_compare_fields(single_value(fields, ""));
  }
  parsed.options.threshold = fraction_of("--threshold", single_value(threshold, "1%"));
  parsed.options.row_fields = fields_of(rows, parsed.tag_keys);
  parsed.options.column_fields = fields_of(columns, parsed.tag_keys);
  parsed.options.baseline = single_value(baseline, kBestBaseline);
  parsed.options.pools_cards = is_of_cards(single_value(pool, kPoolRows));
  parsed.filters = taken.filters();
  if (slower->count() > 0) {
    parsed.slower_limit = fraction_of("--fail-if-slower", single_value(slower, ""));
  }
  parsed.confirm = confirm->count() > 0;
  if (timeout->count() > 0) {
    parsed.timeout_s = seconds_of("--timeout", single_value(timeout, ""));
  }
  parsed.explain = explained->results();
  parsed.with_published = published->count() > 0;
  parsed.missing = missing->count() > 0;
  parsed.output = single_value(output, "");
  parsed.overwrite = overwrite->count() > 0;
  parsed.is_private = parsed.output.empty() || keeps_private->count() > 0;
  parsed.format = checked_format(single_value(format, ""), parsed.output, compare_formats());
  parsed.title = checked_title(*title, parsed.format);
  check_together(parsed);
  put_baseline_first(parsed);
  return parsed;
}

} // namespace sdbench
