#include "sdbench/front/reproduce/run_again.h"

#include <string>

#include "sdbench/front/bench/environment.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/progress/sweep_progress.h"
#include "sdbench/front/sink/sink_set.h"
#include "sdbench/front/terminal/log.h"

namespace sdbench {

RanAgain run_again(const CellsAgain& again, RecordContext context, Executor& executor,
                   const InterruptGuard& interrupt, const std::shared_ptr<spdlog::logger>& logger,
                   const Streams& streams) {
  context.sweep_id = random_id();
  SinkSet sinks(again.files, [&](const std::string& text) { logger->warn("output     {}", text); });
  Telemetry telemetry({});
  telemetry.measure_idle();
  SweepProgress progress(again.steps.size(), sinks, logger, streams.err,
                         streams.live_terminal(again.verbosity));
  const SweepRules rules{
      .probe = again.probe, .stop = &interrupt.requested(), .telemetry = &telemetry};
  RanAgain ran;
  ran.tally = run_sweep(again.cells, again.steps, rules, context, executor, progress);
  const auto rows = sinks.new_records();
  ran.rows.assign(rows.begin(), rows.end());
  ran.all_saved = sinks.finish();
  say_saved(*logger, sinks.saved());
  return ran;
}

} // namespace sdbench
