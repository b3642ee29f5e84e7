#include "sdbench/bench/sweep_runner.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "sdbench/bench/batch_search.h"
#include "sdbench/bench/memory_rule.h"
#include "sdbench/bench/runner.h"
#include "sdbench/core/error.h"
#include "sdbench/device/find_device.h"
#include "sdbench/record/between_runs.h"

namespace sdbench {
namespace {

using Clock = std::chrono::steady_clock;

class SweepRun {
public:
  SweepRun(const SweepRules& rules, std::vector<RunRecord> rows, const RecordContext& context,
           Executor& executor, SweepObserver& observer)
      : rules_(rules), rows_(std::move(rows)), context_(context), executor_(executor),
        observer_(observer), memory_(context) {
    if (rules.earlier != nullptr) {
      ask_for_devices();
    }
  }

  void step(const SweepCell& swept, const SweepStep& step) {
    if (swept.search_batch) {
      search_batch(swept, step);
    } else {
      run(swept, step);
    }
  }
  [[nodiscard]] bool interrupted() const {
    return tally_.interrupted || (rules_.stop != nullptr && rules_.stop->load());
  }
  [[nodiscard]] SweepTally tally() const {
    SweepTally tally = tally_;
    tally.interrupted = interrupted();
    return tally;
  }

private:
  void ask_for_devices();
  void run(const SweepCell& swept, const SweepStep& step);
  void search_batch(SweepCell swept, SweepStep step);
  [[nodiscard]] std::optional<double> images_per_min(const Cell& cell) const;
  [[nodiscard]] std::optional<Status> earlier_status(const Cell& cell) const;
  [[nodiscard]] std::string reason_to_skip(const PlannedCell& planned) const;
  void cool_down();
  void count(const Cell& cell, Status status);

  const SweepRules& rules_;
  std::vector<RunRecord> rows_; ///< so far, without raw times
  const RecordContext& context_;
  Executor& executor_;
  SweepObserver& observer_;
  MemoryRule memory_;
  std::vector<DeviceInfo> devices_;
  bool something_ran_ = false;
  bool restart_due_ = false;
  bool searching_ = false; ///< for the best batch
  SweepTally tally_;
};

/// A row for each batch that is tried.
void SweepRun::search_batch(SweepCell swept, SweepStep step) {
  BatchSearch search(kMaxBatch);
  Cell& cell = swept.planned.cell;
  searching_ = true;
  for (auto batch = search.next(); batch && !interrupted(); batch = search.next()) {
    cell.batch = cell.images = *batch;
    run(swept, step);
    step.fresh_worker = false; // the search is one step
    search.learn(*batch, images_per_min(cell));
  }
  searching_ = false;
}

/// Of the latest good row of a cell.
std::optional<double> SweepRun::images_per_min(const Cell& cell) const {
  const std::string cell_id = cell_id_of(cell, context_);
  const auto row = std::find_if(rows_.rbegin(), rows_.rend(), [&](const RunRecord& candidate) {
    return candidate.cell_id == cell_id && candidate.status == name_of(Status::kOk);
  });
  return row == rows_.rend() ? std::nullopt : row->images_per_min;
}

void SweepRun::run(const SweepCell& swept, const SweepStep& step) {
  const Cell& cell = swept.planned.cell;
  restart_due_ = restart_due_ || step.fresh_worker;
  if (const std::optional<Status> earlier = earlier_status(cell)) {
    observer_.on_resumed(cell, *earlier);
    count(cell, *earlier);
    return;
  }
  RecordContext context = context_;
  context.label = swept.label;
  context.note = swept.note;
  context.round = step.round;
  context.restart = step.restart;
  if (const std::string reason = reason_to_skip(swept.planned); !reason.empty()) {
    const RunRecord record = skip_cell(cell, reason, context);
    count(cell, Status::kSkipped);
    observer_.on_record(record);
    return;
  }
  if (something_ran_) {
    cool_down();
    if (interrupted()) {
      return;
    }
  }
  if (restart_due_) {
    executor_.restart();
    restart_due_ = false;
  }
  something_ran_ = true;
  RunRecord record = run_cell(cell, executor_, observer_.on_cell(cell), context, rules_.telemetry);
  apply_between_runs(record, rows_);
  count(cell, status_from_name(record.status).value());
  observer_.on_record(record);
  record.samples.clear();
  rows_.push_back(std::move(record));
}

void SweepRun::ask_for_devices() {
  try {
    devices_ = executor_.devices();
  } catch (const Error&) {
    if (!interrupted()) { // a worker that was told to end gives no answer
      throw;
    }
  }
}

std::optional<Status> SweepRun::earlier_status(const Cell& cell) const {
  if (rules_.earlier == nullptr) {
    return std::nullopt;
  }
  const DeviceInfo* const device = find_device(cell.device, devices_);
  return rules_.earlier->take(execution_key(cell, context_),
                              env_id_of(device == nullptr ? DeviceInfo{} : *device, context_),
                              context_.host);
}

std::string SweepRun::reason_to_skip(const PlannedCell& planned) const {
  if (!planned.obstacle.empty()) {
    return planned.obstacle;
  }
  const auto smaller = rules_.keep_going ? std::nullopt : memory_.smaller_failure(planned.cell);
  return smaller ? "smaller batch ran out of memory (batch " + std::to_string(*smaller) +
                       "); --keep-going tries all the same"
                 : "";
}

void SweepRun::cool_down() {
  if (rules_.cooldown_s <= 0) {
    return;
  }
  observer_.on_cooldown(rules_.cooldown_s);
  constexpr auto kLook = std::chrono::milliseconds(50); // how soon the stop flag is seen
  const auto end = Clock::now() + std::chrono::duration<double>(rules_.cooldown_s);
  while (Clock::now() < end && !interrupted()) {
    std::this_thread::sleep_for(kLook);
  }
}

void SweepRun::count(const Cell& cell, Status status) {
  memory_.learn(cell, status);
  const bool out_of_memory = status == Status::kOomDevice || status == Status::kOomHost;
  if (searching_ && out_of_memory && cell.batch > 1) {
    return; // that is how a search ends
  }
  ++(status == Status::kOk ? tally_.ok : tally_.not_ok);
  tally_.interrupted = tally_.interrupted || status == Status::kInterrupted;
}

} // namespace

SweepTally run_sweep(const std::vector<SweepCell>& cells, const std::vector<SweepStep>& steps,
                     const SweepRules& rules, std::vector<RunRecord> earlier_rows,
                     const RecordContext& context, Executor& executor, SweepObserver& observer) {
  SweepRun run(rules, std::move(earlier_rows), context, executor, observer);
  for (const SweepStep& step : steps) {
    if (run.interrupted()) {
      break;
    }
    run.step(cells[step.cell], step);
  }
  return run.tally();
}

} // namespace sdbench
