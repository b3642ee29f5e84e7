#include "sdbench/cli/run_command.h"

#include <algorithm>

#include "sdbench/bench/environment.h"
#include "sdbench/bench/runner.h"
#include "sdbench/cli/exit_code.h"
#include "sdbench/cli/interrupt.h"
#include "sdbench/cli/log.h"
#include "sdbench/cli/progress.h"
#include "sdbench/cli/run_arguments.h"
#include "sdbench/core/error.h"
#include "sdbench/plan/cell.h"
#include "sdbench/sink/record_format.h"
#include "sdbench/sink/stream_sink.h"

namespace sdbench {
namespace {

/// Files that the worker writes at the end are tried before anything runs, like the sinks.
void check_worker_outputs(const Cell& cell) {
  if (!cell.dump_latents.empty()) {
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

RecordContext context_of(const RunOptions& options, const WorkerOptions& worker) {
  RecordContext context = current_context();
  context.label = options.label;
  context.note = options.note;
  context.libtorch_version = worker.program.libtorch_version;
  return context;
}

} // namespace

int run_command(const std::vector<std::string>& arguments, const Streams& streams,
                const ExecutorFactory& make_executor) {
  const std::optional<RunArguments> parsed = parse_run_arguments(arguments, streams.out);
  if (!parsed) {
    return kExitSuccess;
  }
  const RunOptions& options = parsed->options;
  const RecordFormat& format = format_by_name(options.format);
  std::ranges::for_each(options.outputs, format_by_extension); // wrong names before any work
  const Cell cell = resolve_cell(options.cell, options.model_given);
  check_worker_outputs(cell);

  const InterruptGuard interrupt;
  WorkerOptions worker;
  worker.timeout_s = options.timeout_s;
  worker.verbose = parsed->verbosity > 0;
  worker.stop = &interrupt.requested();
  const std::unique_ptr<Executor> executor = make_executor(worker);
  const RecordContext context = context_of(options, worker);

  const bool default_files = options.outputs.empty() && !options.no_save;
  const auto files = default_files ? default_outputs(context.host) : options.outputs;
  SinkSet sinks(files);
  sinks.add(std::make_unique<StreamSink>(streams.out, format, streams.out_colour));

  Telemetry telemetry({options.telemetry_interval_s, options.telemetry});
  telemetry.measure_idle();
  const auto logger = make_logger(streams.err, parsed->verbosity);
  Progress progress(cell, logger, streams.err, streams.err_live && parsed->verbosity >= 0);
  const RunRecord record = run_cell(cell, *executor, progress, context, &telemetry);
  progress.finish();
  sinks.write(record);
  for (const auto& file : files) {
    logger->info("saved      {}", file.string());
  }
  return exit_code(status_from_name(record.status).value());
}

} // namespace sdbench
