#include "slower_gate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "interrupt.h"
#include "run_again.h"
#include "same_cell.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/core/status.h"
#include "sdbench/base/core/units.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/sweep.h"
#include "sdbench/base/record/build_record.h"
#include "sdbench/base/record/flags.h"
#include "sdbench/base/telemetry/suspended.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/cli/exit_code.h"
#include "sdbench/front/cli/log.h"
#include "sdbench/front/cli/reproduction.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/sink/sink_set.h"
#include "sdbench/front/words/percent_words.h"

namespace sdbench {
namespace {

/// So many starts make the session that confirms: two give an interval of little use.
constexpr std::int64_t kStartsThatConfirm = 3;

/// The rows that ran again as the row of the table did.
std::optional<PooledFigure> figure_again(const Metric& metric, const std::vector<RunRecord>& rows,
                                         const RunRecord& record) {
  ResultTable table;
  std::vector<std::size_t> places;
  for (const RunRecord& row : rows) {
    if (row.cell_id == record.cell_id && row.status == name_of(Status::kOk) &&
        !has_flag(row, kSuspended) && !has_flag(row, "partial") && !has_flag(row, "partner_lost")) {
      places.push_back(table.add(row));
    }
  }
  return pooled_by(metric, table, places);
}

/// What was measured of the same by the same program and weights.
bool is_same_engine(const RunRecord& row, const RunRecord& record) {
  return row.engine_revision == record.engine_revision && row.weights == record.weights &&
         row.env_id == record.env_id;
}

} // namespace

SlowerGate::SlowerGate(std::vector<Comparison> comparisons, const ResultTable& table, double limit,
                       const Streams& streams)
    : table_(table), limit_(limit), streams_(streams) {
  std::size_t compared = 0;
  const std::string baseline = comparisons.front().baseline;
  for (Comparison& comparison : comparisons) {
    SlowerCheck check = check_slower(comparison, table, limit);
    compared += check.compared;
    judged_.push_back({std::move(comparison), std::move(check)});
  }
  if (compared == 0) {
    say_missing();
    throw Error("--fail-if-slower must have rows to compare with the baseline " +
                in_quotes(baseline) + ", but there is none of the same work and settings");
  }
}

std::optional<int> SlowerGate::confirm(const ExecutorFactory& make_executor) {
  const bool any = std::ranges::any_of(
      judged_, [](const Judged& judged) { return !judged.check.slower.empty(); });
  if (!any) {
    return std::nullopt;
  }
  const InterruptGuard interrupt;
  const auto logger = make_logger(streams_.err, 0, streams_.err_terminal);
  WorkerOptions worker;
  worker.stop = &interrupt.requested();
  const std::unique_ptr<Executor> executor = make_executor(worker);
  RecordContext context = current_context();
  context.runtime_version = worker.program.libtorch_version;
  const std::vector<DeviceInfo> devices = executor->devices();
  executor->restart(); // a worker that sees all devices is none for a cell

  std::map<std::string, RunRecord> records; // those that can run here, by run_id
  std::map<std::string, std::string> obstacles;
  CellsAgain again{.cells = {}, .steps = {}, .files = default_outputs(context.host)};
  std::set<std::string> cells;
  for (const Judged& judged : judged_) {
    for (const SlowerPlace& place : judged.check.slower) {
      const std::size_t row = pool_of(judged, place).sample_row();
      const std::string run_id(table_.text(row, "run_id"));
      if (records.contains(run_id) || obstacles.contains(run_id)) {
        continue;
      }
      RunRecord record = record_to_reproduce(table_.files()[table_.origin(row).file], run_id);
      SameCell same = same_cell(record, devices, context);
      if (!same.cell) {
        obstacles[run_id] = same.obstacle;
        continue;
      }
      if (cells.insert(record.cell_id).second) {
        again.cells.push_back(std::move(*same.cell));
      }
      records.emplace(run_id, std::move(record));
    }
  }
  if (records.empty()) {
    throw UsageError("--confirm must have a cell that can run here, but has none: " +
                     obstacles.begin()->second);
  }
  logger->info("confirm    {}, {} starts each: slower until now",
               counted(static_cast<std::int64_t>(again.cells.size()), "cell"), kStartsThatConfirm);
  again.steps = plan_steps(again.cells, 1, kStartsThatConfirm);
  const RanAgain ran = run_again(again, context, *executor, interrupt, logger, streams_);
  if (ran.tally.interrupted) {
    return interrupt.requested() ? interrupt.exit_code() : kExitInterrupted;
  }
  for (Judged& judged : judged_) {
    std::vector<SlowerPlace> still;
    for (SlowerPlace& place : judged.check.slower) {
      const std::string run_id(table_.text(pool_of(judged, place).sample_row(), "run_id"));
      const auto record = records.find(run_id);
      if (record == records.end()) {
        place.words += "; it was not run again, for " + obstacles.at(run_id);
        still.push_back(std::move(place));
        continue;
      }
      judge_again_by(judged, std::move(place), record->second, ran.rows, still);
    }
    judged.check.slower = std::move(still);
  }
  return std::nullopt;
}

void SlowerGate::judge_again_by(Judged& judged, SlowerPlace place, const RunRecord& record,
                                const std::vector<RunRecord>& rows,
                                std::vector<SlowerPlace>& still) {
  const auto figure = figure_again(judged.comparison.metric, rows, record);
  const bool is_same = std::ranges::all_of(rows, [&](const RunRecord& row) {
    return row.cell_id != record.cell_id || row.status != name_of(Status::kOk) ||
           is_same_engine(row, record);
  });
  if (!figure || !is_same) {
    place.words += figure ? "; what ran again is another engine's revision, or other weights"
                          : "; it failed when it ran again";
    still.push_back(std::move(place));
    return;
  }
  SlowerCheck check = judge_again(judged.comparison, place.pool, *figure, limit_);
  if (!check.slower.empty()) {
    still.push_back({place.pool, place.words + "; again: " + check.slower.front().words});
  } else if (!check.uncertain.empty() || !check.one_start.empty()) {
    const auto& open = check.uncertain.empty() ? check.one_start : check.uncertain;
    judged.check.uncertain.push_back({place.pool, open.front().words});
  } else {
    unconfirmed_.push_back(place.words);
  }
}

void SlowerGate::say_missing() const {
  std::map<std::string, std::vector<std::string>> metrics; // by place
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& place : check.missing) {
      metrics[place.words].emplace_back(comparison.metric.name);
    }
  }
  for (const auto& [words, names] : metrics) {
    const bool by_all = names.size() == judged_.size();
    streams_.say("not compared, for nothing stands beside it: " + words +
                 (by_all ? "" : " (by " + listed(names, "and") + ")"));
  }
}

/// A line for each place, whatever its metrics.
void SlowerGate::say_one_start() const {
  std::map<std::string, std::vector<std::string>> metrics;
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& found : check.one_start) {
      const Pool& pool = comparison.pools[found.pool];
      metrics[comparison.columns[pool.column].name + ": " + comparison.lines[pool.line].name]
          .emplace_back(comparison.metric.name);
    }
  }
  for (const auto& [words, names] : metrics) {
    streams_.say("not decided: one start; --restarts 3: " + words + " (by " + listed(names, "and") +
                 ")");
  }
}

int SlowerGate::verdict() const {
  say_missing();
  std::set<std::string> broken; // by each metric again
  bool fails = false;
  bool decided = true;
  std::vector<std::string> names;
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& place : check.broken) {
      broken.insert(place.words);
    }
    if (check.compared > 0) {
      names.emplace_back(comparison.metric.name);
    }
    fails = fails || !check.broken.empty() || !check.slower.empty();
    decided = decided && check.one_start.empty() && check.uncertain.empty();
  }
  streams_.say("judged by " + listed(names, "and"));
  say_one_start();
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& place : check.uncertain) {
      streams_.say("not decided: " + place.words);
    }
  }
  for (const std::string& words : unconfirmed_) {
    streams_.say("not confirmed, so no failure: " + words);
  }
  for (const std::string& words : broken) {
    streams_.say("failed, and the baseline did not: " + words);
  }
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& place : check.slower) {
      streams_.say(std::string(word_of(Verdict::kSlower, comparison.metric)) + " by " +
                   percent_words(limit_) + " or more: " + place.words);
    }
  }
  return fails ? kExitMissed : decided ? kExitSuccess : kExitUndecided;
}

} // namespace sdbench
