#include "sdbench/front/sink/sink_set.h"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "replaced_files.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/bench/sweep_runner.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/options/run_option_arguments.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/reproduce/reproduced_words.h"
#include "sdbench/front/reproduce/reproduction.h"
#include "sdbench/front/reproduce/run_again.h"
#include "sdbench/front/sink/record_format.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/interrupt.h"
#include "sdbench/front/terminal/log.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {
namespace {

constexpr const char* kReproduceDescription =
    R"(Runs the cell of a record, perhaps someone else's, on this machine. Says in one line whether it is
the same, faster or slower, and what differs. If the machine cannot run an option as recorded, it
takes the nearest and says so.)";
constexpr const char* kReproduceExamples =
    R"(Examples:
  sdbench reproduce their-record.json
  sdbench reproduce night.csv --run-id 0123456789abcdef --repeat 10
A record holds the hash of its prompts, not their text. If they were not the default, give them with
--prompt. Exit code: 0 it has run, 1 it has not, 2 wrong command, 130 interrupted.)";

/// Options of `sdbench run` that override the record's.
constexpr std::array kGivenOptions = {"model",  "weights", "prompt",  "negative-prompt", "device",
                                      "repeat", "warmup",  "timeout", "output",          "no-save",
                                      "label",  "note",    "tag",     "overwrite",       "data"};

struct ReproduceArguments {
  std::filesystem::path file;
  std::optional<std::string> run_id;
  Json given = Json::object();
  int verbosity = 0;
};

std::optional<ReproduceArguments>
parse_reproduce_arguments(const std::vector<std::string>& arguments, std::ostream& out) {
  CLI::App app(kReproduceDescription, "sdbench reproduce");
  app.footer(kReproduceExamples);
  const auto* file = add_text_option(app, "RECORD", "FILE",
                                     "a file with the row: " + record_endings("or"), "Record");
  const auto* run_id = add_text_option(
      app, "--run-id", "ID", "which row, if the file has several; 4 characters suffice", "Record");
  for (const char* name : kGivenOptions) {
    add_run_option(app, *find_run_option(name));
  }
  const auto* verbose =
      add_flag(app, "-v,--verbose", "print more, also the worker's output", "Other");
  const auto* quiet = add_flag(app, "-q,--quiet", "only warnings and errors", "Other");
  if (!parse_arguments(app, arguments, out)) {
    return std::nullopt;
  }
  if (file->count() != 1 || run_id->count() > 1) {
    throw UsageError("reproduce must be given one record; name its file, and --run-id once if the "
                     "file has several rows");
  }
  ReproduceArguments parsed;
  parsed.file = file->results().front();
  if (run_id->count() > 0) {
    parsed.run_id = run_id->results().front();
  }
  parsed.verbosity = verbose->count() > 0 ? 1 : quiet->count() > 0 ? -1 : 0;
  for (const char* name : kGivenOptions) {
    if (Json value = given_run_value(app, *find_run_option(name)); !value.is_null()) {
      if (value.is_array() && find_run_option(name)->kind != OptionKind::kTextList) {
        throw UsageError("--" + std::string(name) + " must have one value here, but has several");
      }
      parsed.given[name] = std::move(value);
    }
  }
  check_options(parsed.given, "--");
  if (parsed.given.value("device", "") == kAllDevices) {
    throw UsageError(
        "--device must name one device, because a record is of one, but is all; name one");
  }
  return parsed;
}

/// The record's cell on this machine.
std::vector<SweepCell> planned_cell(const RunRecord& record, const Reproduction& plan) {
  try {
    return resolve_sweep({plan.options});
  } catch (const Error& error) {
    throw Error("the record's cell (" + one_line(record.model) + ") cannot be run here: " +
                    error.what() + "; name others with --model and --weights",
                error.blame());
  }
}

std::vector<std::string> remarks_on(const RunRecord& record, const Cell& cell) {
  std::vector<std::string> remarks;
  if (cell.weights.fallback) {
    remarks.push_back("the record's weights (" + one_line(record.weights) +
                      ") are not found here: synthetic ones take the same time");
  }
  if (prompt_sha256(cell) != record.prompt_sha256) {
    remarks.emplace_back(
        "the record has other prompts and keeps only their hash: these take the same time; give "
        "the record's prompts with --prompt and --negative-prompt");
  }
  return remarks;
}

} // namespace

int reproduce_command(const std::vector<std::string>& arguments, const Streams& streams,
                      const ExecutorFactory& make_executor) {
  const std::optional<ReproduceArguments> parsed =
      parse_reproduce_arguments(arguments, streams.out);
  if (!parsed) {
    return kExitSuccess;
  }
  RunOptions given;
  apply_options(given, parsed->given);
  if (!given.overwrite) {
    refuse_lost_rows(given.outputs, false);
  }
  const auto [record, bad] = record_to_reproduce(parsed->file, parsed->run_id);
  const auto logger = make_logger(streams.err, parsed->verbosity, streams.err_terminal);
  for (const BadRow& row : bad) {
    logger->warn("left out   {}", message_line(row.text()));
  }
  const InterruptGuard interrupt;
  WorkerOptions worker;
  worker.timeout_s = parsed->given.value("timeout", worker.timeout_s);
  worker.stop = &interrupt.requested();
  const std::unique_ptr<Executor> executor = make_executor(worker);
  const Reproduction plan = reproduction_of(record, executor->devices(), parsed->given);
  executor->restart(); // a cell's worker must not see all devices
  const std::vector<SweepCell> cells = planned_cell(record, plan);
  for (const auto& remarks : {plan.remarks, remarks_on(record, cells.front().planned.cell)}) {
    for (const std::string& remark : remarks) {
      logger->warn("record     {}", remark);
    }
  }
  RecordContext context = current_context();
  context.runtime_version = worker.program.libtorch_version;
  const bool default_files = plan.options.outputs.empty() && !plan.options.no_save;
  const CellsAgain again{.cells = cells,
                         .steps = plan_steps(cells, 1, std::nullopt),
                         .files =
                             default_files ? default_outputs(context.host) : plan.options.outputs,
                         .verbosity = parsed->verbosity,
                         .probe = record.probe_product_tflops ? ProbeUse::kOn : ProbeUse::kAuto};
  const RanAgain ran = run_again(again, context, *executor, interrupt, logger, streams);
  if (!ran.rows.empty()) {
    streams.out << reproduction_text(ran.rows.front(), record) << "\n";
  }
  if (ran.tally.interrupted) {
    return interrupt.requested() ? interrupt.exit_code() : kExitInterrupted;
  }
  return ran.all_saved ? exit_code(ran.tally) : kExitFailure;
}

} // namespace sdbench
