#include "sdbench/front/reproduce/slower_gate.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "same_cell.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/reproduce/reproduction.h"
#include "sdbench/front/reproduce/run_again.h"
#include "sdbench/front/sink/sink_set.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/interrupt.h"
#include "sdbench/front/terminal/log.h"

namespace sdbench {
namespace {

/// Starts in the confirming session; two give an interval of little use.
constexpr std::int64_t kStartsThatConfirm = 3;

/// Lists whose places are judged anew after they ran again.
constexpr std::vector<SlowerPlace> SlowerCheck::*kConfirmed[] = {&SlowerCheck::slower,
                                                                 &SlowerCheck::broken};

/// Lists into which a place that ran again may go.
constexpr std::vector<SlowerPlace> SlowerCheck::*kSaid[] = {
    &SlowerCheck::slower, &SlowerCheck::broken, &SlowerCheck::one_start, &SlowerCheck::uncertain};

} // namespace

SlowerGate::SlowerGate(std::vector<Comparison> comparisons, const ResultTable& table, double limit,
                       bool metrics_given, const Streams& streams)
    : table_(table), limit_(limit), metrics_given_(metrics_given), streams_(streams) {
  std::size_t compared = 0;
  const std::string baseline = comparisons.front().baseline;
  for (Comparison& comparison : comparisons) {
    SlowerCheck check = check_slower(comparison, table, limit);
    compared += check.compared;
    judged_.push_back({std::move(comparison), std::move(check)});
  }
  if (compared == 0) {
    say_missing();
    const std::string lost = why_baseline_has_none();
    throw Error(lost.empty()
                    ? "--fail-if-slower must have rows to compare with the baseline " +
                          in_quotes(baseline) + ", but there is none of the same work and settings"
                    : "--fail-if-slower must have a figure of the same work in the baseline " +
                          in_quotes(baseline) + ", but has none (its rows: " + lost + ")");
  }
}

std::string SlowerGate::why_baseline_has_none() const {
  std::set<std::string> reasons;
  for (const Judged& judged : judged_) {
    const Comparison& comparison = judged.comparison;
    for (const ComparedColumn& column : comparison.columns) {
      const auto is_base = [&](std::size_t pool) { return comparison.pools[pool].is_baseline; };
      const auto has_figure = [&](std::size_t pool) {
        return is_base(pool) && comparison.pools[pool].figure.has_value();
      };
      if (std::ranges::all_of(column.pools, is_base) ||
          std::ranges::any_of(column.pools, has_figure)) {
        continue;
      }
      for (const std::size_t place : column.pools) {
        const Pool& pool = comparison.pools[place];
        if (pool.is_baseline && (!pool.failed.empty() || !pool.left_out.empty())) {
          reasons.insert(why_no_figure(comparison.metric, table_, pool.failed, pool.left_out));
        }
      }
    }
  }
  return listed({reasons.begin(), reasons.end()}, "and");
}

SlowerGate::Confirmed SlowerGate::cells_to_confirm(const std::vector<DeviceInfo>& devices,
                                                   const RecordContext& context) const {
  Confirmed confirmed;
  std::set<std::string> cells;
  const auto add = [&](std::size_t row) {
    if (confirmed.records.contains(row) || confirmed.obstacles.contains(row)) {
      return;
    }
    RunRecord record = record_to_reproduce(table_.files()[table_.origin(row).file],
                                           std::string(table_.text(row, "run_id")))
                           .record;
    SameCell same = same_cell(record, devices, context);
    if (!same.cell) {
      confirmed.obstacles[row] = same.obstacle;
      return;
    }
    if (cells.insert(record.cell_id).second) {
      confirmed.cells.push_back(std::move(*same.cell));
    }
    confirmed.records.emplace(row, std::move(record));
  };
  for (const auto& [comparison, check] : judged_) {
    for (const auto list : kConfirmed) {
      std::ranges::for_each(check.*list, add, &SlowerPlace::row);
    }
  }
  return confirmed;
}

std::optional<int> SlowerGate::confirm(const ExecutorFactory& make_executor,
                                       std::optional<double> timeout_s) {
  const auto any = [&](auto list) {
    return std::ranges::any_of(judged_,
                               [&](const Judged& judged) { return !(judged.check.*list).empty(); });
  };
  if (std::ranges::none_of(kConfirmed, any)) {
    return std::nullopt;
  }
  const InterruptGuard interrupt;
  const auto logger = make_logger(streams_.err, 0, streams_.err_terminal);
  WorkerOptions worker;
  worker.timeout_s = timeout_s.value_or(worker.timeout_s);
  worker.stop = &interrupt.requested();
  const std::unique_ptr<Executor> executor = make_executor(worker);
  RecordContext context = current_context();
  context.runtime_version = worker.program.libtorch_version;
  const std::vector<DeviceInfo> devices = executor->devices();
  executor->restart(); // a cell's worker must not see all devices

  const Confirmed confirmed = cells_to_confirm(devices, context);
  if (confirmed.cells.empty()) {
    throw UsageError("--confirm must have a cell that can run here, but has none: " +
                     confirmed.obstacles.begin()->second);
  }
  logger->info("confirm    {}, {} starts each: slower or failed until now",
               counted(static_cast<std::int64_t>(confirmed.cells.size()), "cell"),
               kStartsThatConfirm);
  const RanAgain ran = run_again({.cells = confirmed.cells,
                                  .steps = plan_steps(confirmed.cells, 1, kStartsThatConfirm),
                                  .files = default_outputs(context.host)},
                                 context, *executor, interrupt, logger, streams_);
  if (ran.tally.interrupted) {
    return interrupt.requested() ? interrupt.exit_code() : kExitInterrupted;
  }
  all_saved_ = ran.all_saved;
  for (Judged& judged : judged_) {
    const SlowerCheck before = judged.check;
    judged.check.slower.clear();
    judged.check.broken.clear();
    for (const auto list : kConfirmed) {
      for (const SlowerPlace& place : before.*list) {
        judge_again(judged, place, list, confirmed, ran.rows);
      }
    }
  }
  return std::nullopt;
}

void SlowerGate::judge_again(Judged& judged, SlowerPlace place,
                             std::vector<SlowerPlace> SlowerCheck::*list,
                             const Confirmed& confirmed, const std::vector<RunRecord>& rows) {
  const auto record = confirmed.records.find(place.row);
  if (record == confirmed.records.end()) {
    place.words += "; it was not run again, because " + confirmed.obstacles.at(place.row);
    (judged.check.*list).push_back(std::move(place));
    return;
  }
  CheckedAgain again = check_again(judged.comparison, table_, place, record->second, rows, limit_);
  if (!again.failures.empty()) {
    place.words += "; of what ran again, " + again.failures;
  }
  if (!again.stays.empty()) {
    place.words += "; " + again.stays;
    (judged.check.*list).push_back(std::move(place));
    return;
  }
  SlowerCheck& found = again.check;
  const bool was_broken = list == &SlowerCheck::broken;
  const bool is_gone =
      std::ranges::all_of(kSaid, [&](const auto into) { return (found.*into).empty(); });
  if (was_broken ? found.broken.empty() : is_gone) {
    NotFoundAgain& gone = gone_[words_of(judged, place)];
    if (was_broken) {
      gone.failure = place.words;
    } else {
      gone.metrics.emplace_back(judged.comparison.metric.name);
    }
  }
  for (SlowerPlace& slower : found.slower) {
    slower.words = was_broken ? slower.words + ", when it ran again"
                              : place.words + "; again: " + slower.words;
  }
  for (const auto into : kSaid) {
    std::vector<SlowerPlace>& known =
        judged.check.*into; // may already hold the place, if it was slower and broken
    std::ranges::copy_if(found.*into, std::back_inserter(known), [&](const SlowerPlace& one) {
      return std::ranges::find(known, one.pool, &SlowerPlace::pool) == known.end();
    });
  }
}

std::string SlowerGate::words_of(const Judged& judged, const SlowerPlace& place) {
  return place_words(judged.comparison, judged.comparison.pools[place.pool]);
}

/// Prints a line for each cell. A cell that fails by a different metric, or is now undecided, is no
/// success.
void SlowerGate::say_gone() const {
  std::set<std::string> said_otherwise;
  for (const Judged& judged : judged_) {
    for (const auto list : kSaid) {
      for (const SlowerPlace& place : judged.check.*list) {
        said_otherwise.insert(words_of(judged, place));
      }
    }
  }
  for (const auto& [cell, gone] : gone_) {
    streams_.say(
        (said_otherwise.contains(cell) ? "not found again: " : "not confirmed, so no failure: ") +
        (gone.failure.empty() ? cell : gone.failure) +
        (gone.metrics.empty() ? "" : " (by " + listed(gone.metrics, "and") + ")"));
  }
}

void SlowerGate::say_missing() const {
  std::map<std::string, std::vector<std::string>> metrics; // names of metrics, by place
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& place : check.missing) {
      metrics[place.words].emplace_back(comparison.metric.name);
    }
  }
  for (const auto& [words, names] : metrics) {
    const bool by_all = names.size() == judged_.size();
    streams_.say("not compared, because no row matches it: " + words +
                 (by_all ? "" : " (by " + listed(names, "and") + ")"));
  }
}

/// Prints one line per place, with all its metrics.
void SlowerGate::say_one_start() const {
  std::map<std::string, std::vector<std::string>> metrics;
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& found : check.one_start) {
      metrics[place_words(comparison, comparison.pools[found.pool])].emplace_back(
          comparison.metric.name);
    }
  }
  for (const auto& [words, names] : metrics) {
    streams_.say("not decided: only one start of the program; use --restarts 3: " + words +
                 " (by " + listed(names, "and") + ")");
  }
}

int SlowerGate::verdict() const {
  say_missing();
  std::set<std::string> broken; // a set, because each metric lists the same places
  bool fails = false;
  bool decided = true;
  std::vector<std::string> names;
  std::vector<std::string> unjudged;
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& place : check.broken) {
      broken.insert(place.words);
    }
    if (check.compared > 0) {
      names.emplace_back(comparison.metric.name);
    } else if (metrics_given_) {
      unjudged.emplace_back(comparison.metric.name);
    }
    fails = fails || !check.broken.empty() || !check.slower.empty();
    decided = decided && check.one_start.empty() && check.uncertain.empty();
  }
  streams_.say("judged by " + listed(names, "and"));
  if (!unjudged.empty()) {
    streams_.say("not decided: nothing is compared by " + listed(unjudged, "and"));
    decided = false;
  }
  say_one_start();
  std::set<std::string> undecided; // a set, because each metric lists the same places
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& place : check.uncertain) {
      if (undecided.insert(place.words).second) {
        streams_.say("not decided: " + place.words);
      }
    }
  }
  say_gone();
  for (const std::string& words : broken) {
    streams_.say("failed, although the baseline has a figure: " + words);
  }
  for (const auto& [comparison, check] : judged_) {
    for (const SlowerPlace& place : check.slower) {
      streams_.say(std::string(word_of(Verdict::kSlower, comparison.metric)) + " by " +
                   percent_words(limit_) + " or more: " + place.words);
    }
  }
  return fails ? kExitMissed : !all_saved_ ? kExitFailure : decided ? kExitSuccess : kExitUndecided;
}

} // namespace sdbench
