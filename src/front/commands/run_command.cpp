#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "dry_run.h"
#include "replaced_files.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/device_lists.h"
#include "sdbench/base/plan/time_estimate.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/device_beside_nvml.h"
#include "sdbench/front/bench/earlier_rows.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/bench/executor_thread.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/bench/sweep_runner.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/inventory/engine_setup.h"
#include "sdbench/front/inventory/engines_here.h"
#include "sdbench/front/machine/slurm_job.h"
#include "sdbench/front/options/run_arguments.h"
#include "sdbench/front/progress/sweep_progress.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/strict_rows.h"
#include "sdbench/front/sink/record_format.h"
#include "sdbench/front/sink/say.h"
#include "sdbench/front/sink/sink_set.h"
#include "sdbench/front/sink/stream_sink.h"
#include "sdbench/front/telemetry/nvml_with_timeouts.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/interrupt.h"
#include "sdbench/front/terminal/log.h"
#include "sdbench/front/terminal/streams.h"
#include "sdbench/front/words/best_batch.h"
#include "sdbench/front/words/record_blocks.h"
#include "sdbench/front/words/sweep_table.h"
#include "varying_axes.h"

namespace sdbench {
namespace {

/// Checks, before anything runs, that the worker can write its files at the end.
void check_worker_outputs(const Cell& cell, bool overwrite) {
  if (!cell.dump_latents.empty()) {
    if (!overwrite) {
      refuse_lost_latents(cell.dump_latents);
    }
    check_replaceable(cell.dump_latents);
  }
  if (!cell.save_images.empty()) {
    std::error_code failure;
    std::filesystem::create_directories(cell.save_images, failure);
    if (failure) {
      throw Error("cannot make the folder " + cell.save_images.string() + ": " + failure.message());
    }
    check_replaceable(cell.save_images / "image.png");
  }
}

RecordContext context_of(const WorkerOptions& worker) {
  RecordContext context = current_context();
  context.sweep_id = random_id();
  context.runtime_version = worker.program.libtorch_version;
  return context;
}

std::vector<std::filesystem::path> output_files(const RunOptions& options,
                                                const RecordContext& context) {
  const bool default_files = options.outputs.empty() && !options.no_save;
  return default_files ? default_output_files(context.host) : options.outputs;
}

EarlierRows earlier_rows(std::span<const RunRecord> rows, const RunOptions& options) {
  const SlurmJob& job = slurm_job();
  return {rows, options.retry_failed, job.is_restarted ? job.id : ""};
}

void refuse_nothing_to_resume(const RunOptions& options) {
  const bool reads_default = options.outputs.empty() && !options.no_save;
  if (options.retry_failed && !options.resume) {
    throw UsageError(
        "--retry-failed must be given with --resume, but is given without it; add --resume");
  }
  if (options.resume && !reads_default && std::ranges::none_of(options.outputs, keeps_records)) {
    throw UsageError("--resume must have an output that holds rows (" + record_endings("or") +
                     "), but there is none; name the file of the interrupted sweep with -o");
  }
}

/// Refuses, before any work, outputs with wrong names or with rows that would be lost.
void refuse_losses(const RunOptions& options) {
  std::ranges::for_each(options.outputs, format_by_extension);
  if (!options.overwrite) {
    refuse_lost_rows(options.outputs, options.resume);
  }
}

void refuse_forms_of_a_plan(const RunOptions& options) {
  if (options.dry_run && options.format != "table" && options.format != "json") {
    throw UsageError("--format must be table or json with --dry-run, but is " +
                     in_quotes(options.format));
  }
}

/// --dry-run: prints the plan. Makes, writes and measures nothing.
int say_dry_run(const RunOptions& options, const std::vector<SweepCell>& cells,
                const std::vector<SweepStep>& steps, const Streams& streams,
                const ExecutorFactory& make_executor) {
  WorkerOptions worker;
  const std::unique_ptr<Executor> executor = make_executor(worker);
  const RecordContext context = context_of(worker);
  const auto files = output_files(options, context);
  const std::vector<RunRecord> rows = read_records(files);
  EarlierRows earlier = earlier_rows(rows, options);
  const auto devices = options.resume ? executor->devices() : std::vector<DeviceInfo>();
  const Plan plan = plan_of(cells, steps, missing_engines(cells), options.yes, rows,
                            options.resume ? &earlier : nullptr, devices, context,
                            [&](const Cell& cell) { return executor->estimate(cell); });
  streams.out << (options.format == "json" ? to_json_text(plan)
                                           : streams.shown(to_text(plan, streams.screen())));
  return kExitSuccess;
}

/// Prints one document of all rows. A format with rows needs none: its rows are printed as they
/// come.
void print_document(const Streams& streams, const RecordFormat& format,
                    std::span<const RunRecord> records, bool is_sweep) {
  if (format.row != nullptr) {
    return;
  }
  if (format.is_of_files()) {
    streams.out << format.document(records);
  } else if (is_sweep && !records.empty()) {
    streams.out << streams.shown(to_sweep_table(records, streams.screen()));
  } else {
    streams.out << streams.shown(to_record_blocks(records, streams.out_colour));
  }
}

/// Prints what --batch auto has found, including points that the outputs already held.
void print_best_batch(const Streams& streams, const std::vector<SweepCell>& cells,
                      std::span<const RunRecord> rows, const RecordContext& context) {
  streams.out << streams.shown(best_batch_text(searched_rows(cells, rows, context)));
}

std::vector<std::string> words_of_steps(const std::vector<SweepCell>& cells,
                                        const std::vector<SweepStep>& steps) {
  const std::vector<std::string> of_cells = varying_words(cells);
  return mapped(steps, [&](const SweepStep& step) { return of_cells[step.cell]; });
}

/// `keeps_rows`: an output holds rows, from which --resume knows what is left.
void say_tally(spdlog::logger& logger, const SweepTally& tally, bool keeps_rows) {
  logger.info("cells      {} ok, {} not{}{}", tally.ok, tally.not_ok,
              tally.interrupted ? ", interrupted" : "",
              tally.interrupted && keeps_rows ? "; --resume runs the rest" : "");
}

/// Groups engines that lack the same axes.
void say_absent_axes(spdlog::logger& logger, const std::vector<AbsentAxes>& absent) {
  std::map<std::vector<std::string>, std::vector<std::string>> engines;
  for (const AbsentAxes& of_engine : absent) {
    engines[of_engine.options].push_back(of_engine.engine);
  }
  std::string text;
  for (const auto& [options, names] : engines) {
    text += (text.empty() ? "" : "; ") + listed(names, "and") +
            (names.size() == 1 ? " has no " : " have no ") + listed(options, "or");
  }
  if (!text.empty()) {
    logger.info("axes       {}: these options change nothing there", text);
  }
}

/// The cells with --device all replaced by the devices that a worker sees.
std::vector<RunOptions> with_devices_named(const RunArguments& parsed, spdlog::logger& logger,
                                           const ExecutorFactory& make_executor) {
  if (!names_all_devices(parsed.cells)) {
    return parsed.cells;
  }
  WorkerOptions worker;
  worker.timeout_s = parsed.options.timeout_s;
  const std::vector<DeviceInfo> devices = make_executor(worker)->devices();
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const std::vector<std::string> names = all_device_names(devices, visible);
  const bool has_gpu = names.front() != kAutoDevice;
  logger.info("devices    all: {}", has_gpu ? joined(names) : "cpu alone, because there is no GPU");
  const std::string unseen = has_gpu ? unseen_instances_note(nvml_gpus(), visible) : "";
  if (!unseen.empty()) {
    logger.warn("devices    {}", unseen);
  }
  return with_all_devices(parsed.cells, names);
}

/// The files' rows; none if a file cannot be read, which the sinks report.
std::vector<RunRecord> readable_records(const std::vector<std::filesystem::path>& files) {
  try {
    return read_records(files);
  } catch (const Error&) {
    return {};
  }
}

/// Sets the expected time of cells that may take hours on a processor, from rows of the same cells
/// in the outputs. Without such cells the outputs are not read.
void expect_by_earlier_rows(std::vector<SweepCell>& cells,
                            const std::vector<std::filesystem::path>& files,
                            const RecordContext& context) {
  std::optional<std::vector<RunRecord>> rows;
  for (SweepCell& swept : cells) {
    Cell& cell = swept.planned.cell;
    const bool may_be_on_cpu =
        !is_gpu_of_torch(kind_asked(cell.device)) && swept.planned.obstacle.empty();
    if (may_be_on_cpu && may_take_long(cell)) {
      if (!rows) {
        rows = readable_records(files);
      }
      cell.expected_s = expected_seconds(cell, *rows, context);
    }
  }
}

/// Number of steps; nothing if the sweep itself decides what it tries.
std::optional<std::size_t> known_count(const std::vector<SweepCell>& cells,
                                       const std::vector<SweepStep>& steps) {
  return std::ranges::any_of(cells, &SweepCell::search_batch) ? std::nullopt
                                                              : std::optional(steps.size());
}

/// What a run needs, once its options are checked and its engines are set up.
struct RunSetting {
  const RunArguments& parsed;
  const RecordFormat& format;
  const Streams& streams;
  const ExecutorFactory& make_executor;
  const std::shared_ptr<spdlog::logger>& logger;
};

/// Reads the rows that --resume needs. Adds standard output as a sink if its format has rows.
void open_outputs(SinkSet& sinks, const RunSetting& setting) {
  if (setting.parsed.options.resume) {
    sinks.resume();
  }
  if (const Streams& streams = setting.streams; setting.format.row != nullptr) {
    sinks.add(std::make_unique<StreamSink>(streams.out, setting.format, streams.out_colour,
                                           streams.reader_gone));
  }
}

/// `worker`: the options of the executor and of those of a team.
SweepTally run_steps(const std::vector<SweepCell>& cells, const std::vector<SweepStep>& steps,
                     const RunSetting& setting, const WorkerOptions& worker, Executor& executor,
                     const RecordContext& context, SweepProgress& progress) {
  const RunOptions& options = setting.parsed.options;
  Telemetry telemetry({options.telemetry_interval_s, options.telemetry});
  telemetry.measure_idle();
  EarlierRows earlier = earlier_rows(progress.rows(), options);
  ExecutorTeam team([&] {
    WorkerOptions of_one = worker;
    return setting.make_executor(of_one);
  });
  const SweepRules rules{.cooldown_s = options.cooldown_s,
                         .wait_quiet_s = options.wait_quiet_s,
                         .keep_going = options.keep_going,
                         .probe = options.probe,
                         .stop = worker.stop,
                         .earlier = options.resume ? &earlier : nullptr,
                         .telemetry = &telemetry,
                         .team = &team};
  return run_sweep(cells, steps, rules, context, executor, progress);
}

/// Runs the steps, reports progress, and prints and saves their rows. Returns the exit code.
int measure(std::vector<SweepCell> cells, const std::vector<SweepStep>& steps,
            const RunSetting& setting) {
  const auto& [parsed, format, streams, make_executor, logger] = setting;
  const RunOptions& options = parsed.options;
  const InterruptGuard interrupt;
  WorkerOptions worker;
  worker.timeout_s = options.timeout_s;
  worker.stop = &interrupt.requested();
  const std::unique_ptr<Executor> executor = make_executor(worker);
  const RecordContext context = context_of(worker);

  const bool default_files = options.outputs.empty() && !options.no_save;
  const auto files = default_files ? default_outputs(context.host) : options.outputs;
  const Say say = [&setting](const std::string& text) {
    setting.logger->warn("output     {}", text);
  };
  SinkSet sinks(files, say); // moves a row that was cut off away, so that files can be read
  open_outputs(sinks, setting);
  expect_by_earlier_rows(cells, files, context);
  const std::optional<std::size_t> step_count = known_count(cells, steps);
  SweepProgress progress(step_count, sinks, logger, streams.err,
                         streams.live_terminal(parsed.verbosity),
                         step_count ? words_of_steps(cells, steps) : std::vector<std::string>());

  const SweepTally tally = run_steps(cells, steps, setting, worker, *executor, context, progress);
  print_document(streams, format, sinks.new_records(), progress.is_sweep());
  if (format.name == "table" && !step_count) {
    print_best_batch(streams, cells, sinks.records(), context);
  }
  const bool all_saved = sinks.finish();
  if (progress.is_sweep()) {
    say_tally(*logger, tally, std::ranges::any_of(files, keeps_records));
  }
  say_saved(*logger, sinks.saved());
  if (tally.interrupted) {
    return interrupt.requested() ? interrupt.exit_code() : kExitInterrupted;
  }
  return all_saved ? exit_code(tally) : kExitFailure;
}

} // namespace

int run_command(const std::vector<std::string>& arguments, const Streams& streams,
                const ExecutorFactory& make_executor) {
  AllEngines all_engines(make_executor);
  const std::optional<RunArguments> parsed = parse_run_arguments(
      arguments, streams.out, [&](const std::string& device) { return all_engines.on(device); });
  if (!parsed) {
    return kExitSuccess;
  }
  const RunOptions& options = parsed->options;
  const RecordFormat& format = format_by_name(options.format);
  refuse_losses(options);
  refuse_forms_of_a_plan(options);
  const auto logger = make_logger(streams.err, parsed->verbosity, streams.err_terminal);
  all_engines.say(*logger);
  say_absent_axes(*logger, parsed->absent);
  std::vector<SweepCell> cells = resolve_sweep(with_devices_named(*parsed, *logger, make_executor));
  const std::vector<SweepStep> steps = plan_steps(cells, options.rounds, options.restarts);
  refuse_nothing_to_resume(options);
  if (options.dry_run) {
    return say_dry_run(options, cells, steps, streams, make_executor);
  }
  for (const SweepCell& cell : cells) {
    check_worker_outputs(cell.planned.cell, options.overwrite);
  }
  set_up_missing_engines(cells, options.yes, streams, *logger);
  return measure(std::move(cells), steps, {*parsed, format, streams, make_executor, logger});
}

} // namespace sdbench
