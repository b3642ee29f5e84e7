#include "option_values.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/sink/record_format.h"

namespace sdbench {

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

std::vector<std::string> names_of(const std::vector<CompareFormat>& formats) {
  return mapped<std::string>(formats, &CompareFormat::name);
}

std::string checked_format(const std::string& asked, const std::filesystem::path& output,
                           const std::vector<CompareFormat>& formats) {
  const std::vector<std::string> names = names_of(formats);
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
  for (const CompareFormat& format : formats) {
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

RowOptions::RowOptions(CLI::App& app, const char* group) {
  app.add_option("FILES", paths_, "result files (" + record_endings("") + "), or folders of them")
      ->type_name("")
      ->group(group);
  metric_ = add_text_option(app, "-m,--metric", "FIELD[,FIELD]",
                            "a rate, time, memory or energy (images_per_min)", group);
  filter_ =
      add_text_option(app, "--filter", "FIELD=VALUE",
                      "use only matching rows; also FIELD!=VALUE, * and ?; repeatable", group);
}

std::vector<std::filesystem::path> RowOptions::paths() const {
  return {paths_.begin(), paths_.end()};
}

std::vector<Metric> RowOptions::metrics() const {
  return metric_->count() > 0 ? find_metrics(single_value(metric_, "")) : std::vector<Metric>();
}

std::vector<RowFilter> RowOptions::filters() const {
  return mapped(filter_->results(), parse_filter);
}

} // namespace sdbench
