#include "sdbench/front/options/trend_arguments.h"

#include "option_values.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/trend/trend_formats.h"

namespace sdbench {
namespace {

constexpr const char* kTrendExamples =
    R"(Examples:
  sdbench trend nightly/                            each cell, night by night
  sdbench trend nightly/ --filter model=sdxl --metric unet_it_s,vae_s
  sdbench trend nightly/ --fail-if-slower 3% -o trend.xml      for a CI

A cell is one workload with one set of options on one card. Its software, power limit and tags
(--tag) may change from night to night. Tags or limits that differ on one date divide the cell.

Exit code: 0 shown; 1 no record with a date, or -o would destroy other data; 2 wrong command. With
--fail-if-slower: 4 a cell is slower since a change of the last ten nights, or its last night
failed; 5 no cell is slower, but some are undecided.)";

} // namespace

std::optional<TrendArguments> parse_trend_arguments(const std::vector<std::string>& arguments,
                                                    std::ostream& out) {
  CLI::App app(
      "Shows a figure of each cell over dates: its baseline, and the dates when it changed.",
      "sdbench trend");
  app.footer(kTrendExamples);
  const char* const what = "What is shown";
  const char* const how = "How";
  const RowOptions taken(app, what);
  const auto* slower =
      add_text_option(app, "--fail-if-slower", "PERCENT",
                      "exit code 4 if a cell got this much slower in the last ten nights", how);
  const auto* format = add_text_option(app, "--format", "NAME",
                                       listed(names_of(trend_formats())) + " (table)", "Output");
  const auto* output = add_text_option(app, "-o,--output", "FILE",
                                       "write to a file; its ending gives the format", "Output");
  const auto* title = add_title_option(app, "Output");
  const auto* overwrite = add_overwrite_flag(app, "Output");
  const auto* keeps_private =
      add_flag(app, "--private", "do not remove host names, labels and the like", "Output");
  if (!parse_arguments(app, arguments, out)) {
    return std::nullopt;
  }
  TrendArguments parsed;
  parsed.paths = taken.paths();
  if (parsed.paths.empty()) {
    throw UsageError("trend must be followed by result files or folders; write sdbench trend "
                     "sdbench-results");
  }
  parsed.metrics = taken.metrics();
  parsed.filters = taken.filters();
  if (slower->count() > 0) {
    parsed.slower_limit = fraction_of("--fail-if-slower", single_value(slower, ""));
  }
  parsed.output = single_value(output, "");
  parsed.overwrite = overwrite->count() > 0;
  parsed.is_private = parsed.output.empty() || keeps_private->count() > 0;
  parsed.format = checked_format(single_value(format, ""), parsed.output, trend_formats());
  parsed.title = checked_title(*title, parsed.format);
  if (parsed.format == "junit" && !parsed.slower_limit) {
    throw UsageError("--format junit must be given with --fail-if-slower, which says what fails, "
                     "but is given without it; add --fail-if-slower 3%");
  }
  return parsed;
}

} // namespace sdbench
