#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_file.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/own_file.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/report/facts.h"
#include "sdbench/front/report/nominal_peak.h"
#include "sdbench/front/report/published_fit.h"
#include "sdbench/front/report/report_data.h"
#include "sdbench/front/report/report_files.h"
#include "sdbench/front/report/report_page.h"
#include "sdbench/front/report/roofline.h"
#include "sdbench/front/report/speed_fit.h"
#include "sdbench/front/report/static_rows.h"
#include "sdbench/front/report/telemetry_series.h"
#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/redact.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportExamples =
    "FILES are what sdbench run -o or --telemetry wrote, or folders of such files.\n"
    "Examples:\n"
    "  sdbench report sdbench-results -o report.html\n"
    "  sdbench report gpu1.jsonl gpu2.csv gpu1-telemetry.csv --facts cards.csv -o report.html\n"
    "The page may be published: hosts have made-up names, and labels, notes, paths, errors and "
    "the\n"
    "like are left out. --private keeps them.";

fs::path checked_page(const CLI::Option& output) {
  if (output.count() != 1) {
    throw UsageError("--output must be given once, but is given " + std::to_string(output.count()) +
                     " times; add -o report.html");
  }
  fs::path page = output.results().front();
  if (file_ending(page) != ".html" && file_ending(page) != ".htm") {
    throw UsageError("--output must end in .html, but is " + in_quotes(page.string()));
  }
  return page;
}

/// Refuses to replace anything but a page of sdbench report, which can be made again.
void refuse_to_replace_others(const fs::path& page) {
  constexpr std::size_t kHead = std::size_t{16} << 10;
  const std::string there = standing_text(page, kHead);
  if (!there.empty() && !is_page_of(there, "report")) {
    refuse_loss(page, "something other than a page of sdbench report");
  }
}

Facts facts_of(const CLI::Option& option) {
  constexpr std::size_t kDay = std::string_view("2026-11-28").size();
  if (option.count() > 1) {
    throw UsageError("--facts must be given once, but is given " + std::to_string(option.count()) +
                     " times; put all facts in one file");
  }
  return option.count() == 0 ? Facts{}
                             : read_facts(option.results().front(), utc_now().substr(0, kDay));
}

/// Names everything that is left out of the page, or is doubtful.
void warn(const Report& report, const Streams& streams) {
  std::size_t named = 0;
  for (const BadRow& bad : report.results.bad) {
    if (++named > kMostBadRowsNamed) {
      streams.say("and " + std::to_string(report.results.bad.size() - kMostBadRowsNamed) +
                  " more that were left out");
      break;
    }
    streams.say("left out: " + bad.text());
  }
  for (const BadRow& row : report.results.doubtful) {
    streams.say("doubtful: " + row.text());
  }
  for (const std::string& bad : report.telemetry.bad) {
    streams.say("left out: " + bad + " (the first of this file)");
  }
  if (report.telemetry.foreign_runs > 0) {
    streams.say("left out: telemetry without a record here (runs: " +
                std::to_string(report.telemetry.foreign_runs) + "); add their result files");
  }
  const std::vector<std::string> unknown = unknown_gpus(report);
  for (std::size_t i = 0; i < std::min(unknown.size(), kMostBadRowsNamed); ++i) {
    streams.say("--facts names the GPU " + in_quotes(unknown[i]) +
                ", but no row has it; write it as the field device_name does");
  }
}

/// Removes private fields. The page only counts rows and files that could not be read; warn() has
/// named them.
void make_shareable(Report& report) {
  Redactor redactor(all_redactions());
  report.shared = report.results.table.copy();
  redactor.redact(*report.shared);
  for (TelemetrySeries& series : report.telemetry.series) {
    series.uuid = redactor.names().card(series.uuid);
  }
}

/// Reads the files, and warns of everything that is left out of the page.
Report gather(const ReportFiles& files, Facts facts, const Streams& streams) {
  Report report;
  report.created_utc = utc_now();
  report.facts = std::move(facts);
  report.results = read_results(files.results, {.raw_times = true});
  const ResultTable& table = report.results.table;
  if (table.size() == 0) {
    throw Error("the files must hold at least one record, but hold none" +
                (report.results.bad.empty() ? std::string() : ": " + report.results.bad[0].text()));
  }
  std::unordered_set<std::string> run_ids;
  for (std::size_t row = 0; row < table.size(); ++row) {
    run_ids.emplace(table.text(row, "run_id"));
  }
  report.telemetry = read_telemetry(files.telemetry, run_ids, kMostTelemetryPoints);
  warn(report, streams);
  return report;
}

void fit(Report& report) {
  const ResultTable& table = report.results.table;
  const auto peaks = nominal_peaks(table);
  report.roofline = roofline(table, peaks);
  report.fits = beside_each_other(
      own_speed_fits(table, report.shown(), peaks, report.facts),
      published_speed_fits(share_folder() / "published" / "egpu-2022.csv", report.facts));
}

} // namespace

int report_command(const std::vector<std::string>& arguments, const Streams& streams) {
  CLI::App app("Makes one HTML page of results, which opens from disk without a network.",
               "sdbench report");
  app.footer(kReportExamples);
  const std::string group = "Options";
  CLI::Option* const names = add_text_option(app, "files", "FILES", "results", group);
  names->expected(-1);
  const auto* output = add_text_option(app, "-o,--output", "FILE.html", "the page to write", group);
  const auto* facts =
      add_text_option(app, "--facts,--prices", "FILE.csv",
                      "CSV columns: gpu, price, hourly, kwh_price, currency, date, source", group);
  const auto* title = add_title_option(app, group);
  const auto* overwrite = add_overwrite_flag(app, group);
  const auto* keeps_private =
      add_flag(app, "--private", "do not remove host names, labels, errors and the like", group);
  if (!parse_arguments(app, arguments, streams.out)) {
    return kExitSuccess;
  }
  if (names->count() == 0) {
    throw UsageError("report must be followed by result files; write sdbench report "
                     "sdbench-results -o report.html");
  }
  const fs::path page = checked_page(*output);
  const std::string heading = checked_title(*title, "html");
  if (overwrite->count() == 0) {
    refuse_to_replace_others(page);
  }
  const ReportFiles files = tell_apart({names->results().begin(), names->results().end()});
  if (files.results.empty()) {
    throw Error("FILES must hold results, but hold none; name what -o of a run wrote");
  }
  Facts known_facts = facts_of(*facts);
  AtomicFile target(page); // opened first, so that a place that is not writable fails at once
  Report report = gather(files, std::move(known_facts), streams);
  if (keeps_private->count() == 0) {
    make_shareable(report);
  }
  fit(report);
  target.write(report_page(report_data(report), static_rows(report.shown()),
                           share_folder() / "report", heading));
  target.commit();
  streams.err << "wrote " << message_line(page.string()) << " from "
              << counted(static_cast<std::int64_t>(report.results.table.size()), "row") << "\n";
  return kExitSuccess;
}

} // namespace sdbench
