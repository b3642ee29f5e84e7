#include "compare_arguments.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/file_ending.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/shell_word.h"
#include "sdbench/base/core/suggestion.h"
#include "sdbench/base/core/tags.h"
#include "sdbench/base/record/field_name.h"
#include "sdbench/front/cli/arguments.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/compare/metric.h"
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

Exit code: 0 compared; 1 no record, nothing beside the baseline, or a file refuses; 2 wrong command.
With --fail-if-slower: 4 a row is slower or failed; 5 none is, but not all is decided; 130 --confirm
was interrupted.)";

/// The value of an option that stands at most once.
std::string single_value(const CLI::Option* option, const std::string& otherwise) {
  if (option->count() > 1) {
    throw UsageError(option->get_name() + " must be given once, but is given " +
                     std::to_string(option->count()) + " times");
  }
  return option->count() == 0 ? otherwise : option->results().front();
}

/// The sign is demanded: a bare 0.05 could be meant as a part or as a percentage.
double fraction_of(const std::string& option, const std::string& text) {
  const auto percent = text.ends_with('%')
                           ? parse_number(std::string_view(text).substr(0, text.size() - 1))
                           : std::nullopt;
  constexpr double kAll = 100;
  if (!percent || !(*percent > 0) || *percent > kAll) {
    throw UsageError(option +
                     " must be a percentage above 0% and at most 100%, such as 1%, but is " +
                     in_quotes(text));
  }
  return *percent / kAll;
}

/// "device_name,tag:cooler": a key of a tag stands for the field tags, and joins `tag_keys`.
std::vector<std::size_t> fields_of(const std::string& list, std::vector<std::string>& tag_keys) {
  std::vector<std::size_t> fields;
  for (const std::string_view name :
       list.empty() ? std::vector<std::string_view>() : split(list, ',')) {
    const std::string key = tag_key_of(name);
    const std::size_t field = key.empty() ? asked_field(name) : field_index("tags");
    if (std::ranges::find(fields, field) == fields.end()) {
      fields.push_back(field);
    }
    if (!key.empty()) {
      tag_keys.push_back(key);
    }
  }
  return fields;
}

std::vector<std::string> names_of_formats() {
  std::vector<std::string> names;
  for (const CompareFormat& format : compare_formats()) {
    names.emplace_back(format.name);
  }
  return names;
}

std::string checked_format(const std::string& asked, const std::filesystem::path& output) {
  const std::vector<std::string> names = names_of_formats();
  if (!asked.empty()) {
    if (std::ranges::find(names, asked) == names.end()) {
      throw UsageError("--format must be " + listed(names) + ", but is " + in_quotes(asked) +
                       did_you_mean(asked, names));
    }
    return asked;
  }
  if (output.empty()) {
    return "table";
  }
  const std::string extension = file_ending(output);
  std::vector<std::string> endings;
  for (const CompareFormat& format : compare_formats()) {
    if (format.extension == extension) {
      return std::string(format.name);
    }
    endings.emplace_back(format.extension);
  }
  const bool holds_rows = extension == ".jsonl" || extension == ".db" || extension == ".sqlite";
  throw UsageError("-o must end in " + listed(endings) + ", but is " + in_quotes(output.string()) +
                   (holds_rows ? "; files of results are joined by sdbench merge FILES -o " +
                                     shell_word(output.string())
                               : "; or name the form with --format"));
}

/// The baseline's file first, for of a run that is in several files the first one counts; and it
/// needs not be named twice.
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

/// What -o leaves out tells no rows apart there. Made-up names do.
void check_shared(const std::string& option, FieldName field) {
  const bool is_made_up =
      field == FieldName("host") || field == FieldName("device_uuid") || field == FieldName("tags");
  if (!may_be_shared(field) && !is_made_up) {
    throw UsageError(option + " must name fields that -o writes, but " + std::string(field.text()) +
                     " is left out of a file that may be shared; add --private");
  }
}

void check_together(const CompareArguments& parsed) {
  if (parsed.paths.empty()) {
    throw UsageError(
        "compare must be followed by files or folders with records, but there is none; "
        "write for example sdbench compare sdbench-results");
  }
  if (parsed.slower_limit && parsed.options.baseline == kBestBaseline) {
    throw UsageError("--fail-if-slower must stand beside --baseline, for all are slower than the "
                     "best; add --baseline with the file, host or label to compare with");
  }
  for (const auto* fields : {&parsed.options.row_fields, &parsed.options.column_fields}) {
    for (const std::size_t field : parsed.is_private ? std::vector<std::size_t>() : *fields) {
      check_shared(fields == &parsed.options.row_fields ? "--rows" : "--columns",
                   FieldName::at(field));
    }
  }
  const std::size_t tags = field_index("tags");
  if (std::ranges::count(parsed.options.row_fields, tags) > 0 &&
      std::ranges::count(parsed.options.column_fields, tags) > 0) {
    throw UsageError("--rows and --columns must not both name tags, but do; take one of them");
  }
  if (parsed.missing && !parsed.is_private) {
    throw UsageError(
        "--missing must stand beside --private where -o writes a file, for its commands "
        "name files and runs of this house");
  }
  if (parsed.missing && (parsed.format == "csv" || parsed.format == "json")) {
    throw UsageError("--missing must stand beside a form for people, such as table or md, but "
                     "stands beside " +
                     parsed.format);
  }
  if (parsed.confirm && !parsed.slower_limit) {
    throw UsageError("--confirm must stand beside --fail-if-slower, but stands alone; add "
                     "--fail-if-slower 5%");
  }
  if (!parsed.explain.empty() && parsed.metrics.size() > 1) {
    throw UsageError("--explain must stand beside one --metric, but there are " +
                     std::to_string(parsed.metrics.size()));
  }
  if (!parsed.explain.empty() && parsed.explain.size() != 2) {
    throw UsageError("--explain must be followed by two rows, but is by " +
                     std::to_string(parsed.explain.size()) + "; write for example --explain 1 2");
  }
  if (!parsed.explain.empty() && parsed.format != "table") {
    throw UsageError("--explain must stand without a --format but table, but that is " +
                     in_quotes(parsed.format));
  }
}

} // namespace

std::optional<CompareArguments> parse_compare_arguments(const std::vector<std::string>& arguments,
                                                        std::ostream& out) {
  CLI::App app("Compares what was measured, here and elsewhere: equal work in a column, machines "
               "in rows.",
               "sdbench compare");
  app.footer(kCompareExamples);
  const char* const what = "What is compared";
  const char* const how = "How";
  std::vector<std::string> paths;
  app.add_option("FILES", paths, "records (.csv, .json, .jsonl, .db), and folders of them")
      ->type_name("")
      ->group(what);
  const auto* metric = add_text_option(app, "-m,--metric", "FIELD[,FIELD]",
                                       "a rate, time, memory or energy (images_per_min)", what);
  const auto* filter =
      add_text_option(app, "--filter", "FIELD=VALUE",
                      "only such rows, or FIELD!=VALUE; with * and ?; repeatable", what);
  const auto* rows =
      add_text_option(app, "--rows", "FIELD[,FIELD]", "what a row is (the machine)", what);
  const auto* columns = add_text_option(app, "--columns", "FIELD[,FIELD]",
                                        "what a column is, besides its workload", what);
  const auto* published = add_flag(app, "--with-published",
                                   "what others published of the same work, beside yours", what);
  const auto* missing = add_flag(
      app, "--missing", "cells that a machine lacks, with the command that fills each", what);
  const auto* baseline =
      add_text_option(app, "--baseline", "NAME|FILE",
                      "file, host, label, device, run_id or row number (best)", how);
  const auto* threshold =
      add_text_option(app, "--threshold", "PERCENT", "gaps below it are no difference (1%)", how);
  const auto* slower = add_text_option(app, "--fail-if-slower", "PERCENT",
                                       "exit code 4 if a row is, beside --baseline", how);
  const auto* confirm = add_flag(
      app, "--confirm", "with --fail-if-slower: run again here what is slower or failed", how);
  const auto* explained =
      add_text_option(app, "--explain", "ROW", "all fields in which two rows differ", how)
          ->expected(2);
  const auto* format =
      add_text_option(app, "--format", "NAME", listed(names_of_formats()) + " (table)", "Output");
  const auto* output = add_text_option(app, "-o,--output", "FILE",
                                       "to a file, whose ending gives the format", "Output");
  const auto* overwrite = add_overwrite_flag(app, "Output");
  const auto* keeps_private =
      add_flag(app, "--private", "in that file keep host names, labels and the like", "Output");
  if (!parse_arguments(app, arguments, out)) {
    return std::nullopt;
  }
  CompareArguments parsed;
  parsed.paths.assign(paths.begin(), paths.end());
  if (metric->count() > 0) {
    parsed.metrics = find_metrics(single_value(metric, ""));
  }
  parsed.options.threshold = fraction_of("--threshold", single_value(threshold, "1%"));
  parsed.options.row_fields = fields_of(single_value(rows, ""), parsed.tag_keys);
  parsed.options.column_fields = fields_of(single_value(columns, ""), parsed.tag_keys);
  parsed.options.baseline = single_value(baseline, kBestBaseline);
  for (const std::string& text : filter->results()) {
    parsed.filters.push_back(parse_filter(text));
  }
  if (slower->count() > 0) {
    parsed.slower_limit = fraction_of("--fail-if-slower", single_value(slower, ""));
  }
  parsed.confirm = confirm->count() > 0;
  parsed.explain = explained->results();
  parsed.with_published = published->count() > 0;
  parsed.missing = missing->count() > 0;
  parsed.output = single_value(output, "");
  parsed.overwrite = overwrite->count() > 0;
  parsed.is_private = parsed.output.empty() || keeps_private->count() > 0;
  parsed.format = checked_format(single_value(format, ""), parsed.output);
  check_together(parsed);
  put_baseline_first(parsed);
  return parsed;
}

} // namespace sdbench
