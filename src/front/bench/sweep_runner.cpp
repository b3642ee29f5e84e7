#include "sdbench/front/bench/sweep_runner.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/batch_search.h"
#include "sdbench/front/bench/cell_to_record.h"
#include "sdbench/front/bench/parallel_run.h"
#include "sdbench/front/bench/quiet_wait.h"
#include "sdbench/front/bench/sweep_probes.h"
#include "sdbench/front/record/between_runs.h"
#include "sdbench/front/record/parallel_sum.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {
namespace {

/// The sum of the rates; nothing if one of them is unknown.
std::optional<double> sum_of_all(const std::vector<std::optional<double>>& rates) {
  double sum = 0;
  for (const std::optional<double>& rate : rates) {
    if (!rate) {
      return std::nullopt;
    }
    sum += *rate;
  }
  return sum;
}

/// After a cell has run out of memory, the same cell with a larger batch need not be tried.
class MemoryRule {
public:
  explicit MemoryRule(const RecordContext& context) : context_(context) {}

  void learn(const Cell& cell, Status status) {
    if (status == Status::kOomDevice || status == Status::kOomHost) {
      std::int64_t& batch = failed_batch_.try_emplace(family_of(cell), cell.batch).first->second;
      batch = std::min(batch, cell.batch);
    }
  }

  /// The smallest batch of this cell, all else equal, that ran out of memory, if `cell` has a
  /// larger one.
  [[nodiscard]] std::optional<std::int64_t> smaller_failure(const Cell& cell) const {
    if (failed_batch_.empty()) {
      return std::nullopt;
    }
    const auto found = failed_batch_.find(family_of(cell));
    return found != failed_batch_.end() && found->second < cell.batch ? std::optional(found->second)
                                                                      : std::nullopt;
  }

private:
  /// Ignores the number of images, which follows the batch by default and needs no memory itself.
  [[nodiscard]] std::string family_of(Cell cell) const {
    cell.batch = 1;
    cell.images = 1;
    return cell_id_of(cell, context_);
  }

  const RecordContext& context_;
  std::map<std::string, std::int64_t> failed_batch_; ///< the smallest, by family
};

class SweepRun {
public:
  SweepRun(const SweepRules& rules, const RecordContext& context, Executor& executor,
           SweepObserver& observer)
      : rules_(rules), context_(context), executor_(executor), observer_(observer),
        memory_(context), probes_(rules.probe) {
    if (rules.earlier != nullptr) {
      ask_for_devices();
    }
  }

  /// `is_last`: no step on the same device follows.
  void step(const SweepCell& swept, const SweepStep& step, bool is_last) {
    is_last_ = is_last;
    if (swept.search_batch) {
      search_batch(swept, step);
    } else if (const auto images_per_min = run(swept, step); is_whole(swept.planned.cell)) {
      alone_.clear();
    } else if (!swept.team.empty()) {
      alone_.push_back(images_per_min);
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
  /// Images per minute of this execution, or of the earlier row that replaces it; nothing if it
  /// failed.
  std::optional<double> run(const SweepCell& swept, const SweepStep& step);
  std::optional<double> run_alone(const SweepCell& swept, const RecordContext& context);
  std::optional<double> run_together(const Cell& whole, const RecordContext& context);
  std::optional<double> keep(RunRecord record);
  void search_batch(SweepCell swept, SweepStep step);
  [[nodiscard]] std::optional<double> earlier_images_per_min(const Cell& cell,
                                                             const RecordContext& context) const;
  [[nodiscard]] std::optional<Status> earlier_status(const Cell& cell,
                                                     const RecordContext& context) const;
  [[nodiscard]] std::string reason_to_skip(const PlannedCell& planned) const;
  [[nodiscard]] ExecutorTeam& team() const;
  void cool_down();
  void wait_for_quiet(const Cell& cell);
  void count(const Cell& cell, Status status);

  const SweepRules& rules_;
  const RecordContext& context_;
  Executor& executor_;
  SweepObserver& observer_;
  MemoryRule memory_;
  SweepProbes probes_;
  bool is_last_ = false;
  std::vector<DeviceInfo> devices_;
  bool something_ran_ = false;
  bool restart_due_ = false;
  bool searching_ = false; ///< for the best batch
  std::vector<std::optional<double>>
      alone_; ///< images per minute of each of a team's devices alone
  SweepTally tally_;
};

/// A row for each batch that is tried.
void SweepRun::search_batch(SweepCell swept, SweepStep step) {
  BatchSearch search(kMaxBatch);
  Cell& cell = swept.planned.cell;
  searching_ = true;
  for (auto batch = search.next(); batch && !interrupted(); batch = search.next()) {
    set_batch(cell, *batch);
    search.learn(*batch, run(swept, step));
    step.fresh_worker = false; // the search is one step
  }
  searching_ = false;
}

std::optional<double> SweepRun::run(const SweepCell& swept, const SweepStep& step) {
  const Cell& cell = swept.planned.cell;
  restart_due_ = restart_due_ || step.fresh_worker;
  RecordContext context = context_;
  context.label = swept.label;
  context.note = swept.note;
  context.tags = swept.tags;
  if (const std::optional<Status> earlier = earlier_status(cell, context)) {
    observer_.on_resumed(cell, *earlier);
    count(cell, *earlier);
    const bool rate_is_used =
        swept.search_batch || !swept.team.empty(); // the search reads all rows
    return *earlier == Status::kOk && rate_is_used ? earlier_images_per_min(cell, context)
                                                   : std::nullopt;
  }
  context.round = step.round;
  context.restart = step.restart;
  if (const std::string reason = reason_to_skip(swept.planned); !reason.empty()) {
    const RunRecord record = skip_cell(cell, reason, context);
    count(cell, Status::kSkipped);
    observer_.on_record(record);
    return std::nullopt;
  }
  if (something_ran_) {
    cool_down();
  }
  wait_for_quiet(cell);
  if (interrupted()) {
    return std::nullopt;
  }
  if (restart_due_) {
    executor_.restart();
    if (rules_.team != nullptr) {
      rules_.team->restart();
    }
    restart_due_ = false;
  }
  something_ran_ = true;
  return is_whole(cell) ? run_together(cell, context) : run_alone(swept, context);
}

/// Throws std::logic_error if cells need a team and there is none.
ExecutorTeam& SweepRun::team() const {
  if (rules_.team == nullptr) {
    throw std::logic_error("a cell of a team needs SweepRules::team");
  }
  return *rules_.team;
}

std::optional<double> SweepRun::run_alone(const SweepCell& swept, const RecordContext& context) {
  const Cell& cell = swept.planned.cell;
  Executor& executor = swept.team.empty() ? executor_ : team().of(cell.device);
  ExecutorObserver& observer = observer_.on_cell(cell);
  RunRecord record = run_cell(cell, executor, observer, context, rules_.telemetry);
  probes_.after_cell(cell, is_last_ && !searching_, executor, observer, record);
  count(cell, status_from_name(record.status).value());
  return keep(std::move(record));
}

std::optional<double> SweepRun::run_together(const Cell& whole, const RecordContext& context) {
  std::vector<RunRecord> rows =
      run_in_parallel(whole, observer_.on_parallel_cell(whole), context,
                      {team(), rules_.telemetry, rules_.stop, sum_of_all(alone_)});
  for (const RunRecord& row : rows) {
    memory_.learn(whole, status_from_name(row.status).value());
  }
  count(whole, status_from_name(rows.back().status).value());
  std::optional<double> images_per_min;
  for (RunRecord& row : rows) {
    images_per_min = keep(std::move(row));
  }
  return images_per_min; // of the sum, which is the last
}

std::optional<double> SweepRun::keep(RunRecord record) {
  apply_between_runs(record, observer_.rows());
  observer_.on_record(record);
  return record.status == name_of(Status::kOk) ? record.images_per_min : std::nullopt;
}

void SweepRun::ask_for_devices() {
  try {
    devices_ = executor_.devices();
    executor_.restart(); // a cell's worker must not see all devices
  } catch (const Error&) {
    if (!interrupted()) { // a worker that was stopped does not answer
      throw;
    }
  }
}

std::optional<Status> SweepRun::earlier_status(const Cell& cell,
                                               const RecordContext& context) const {
  return rules_.earlier == nullptr
             ? std::nullopt
             : rules_.earlier->take(execution_key(cell, context),
                                    env_id_of(device_of(cell, devices_), context), context.host);
}

/// Images per minute of the latest good row that this execution could have written.
std::optional<double> SweepRun::earlier_images_per_min(const Cell& cell,
                                                       const RecordContext& context) const {
  const ExecutionKey key = execution_key(cell, context);
  const std::string env_id = env_id_of(device_of(cell, devices_), context);
  const std::span<const RunRecord> rows = observer_.rows();
  const auto row = std::find_if(rows.rbegin(), rows.rend(), [&](const RunRecord& candidate) {
    return candidate.status == name_of(Status::kOk) && candidate.quality_reference.empty() &&
           candidate.env_id == env_id && work_key(candidate) == key.work &&
           has_inputs_of(candidate, key);
  });
  return row == rows.rend() ? std::nullopt : row->images_per_min;
}

std::string SweepRun::reason_to_skip(const PlannedCell& planned) const {
  if (!planned.obstacle.empty()) {
    return planned.obstacle;
  }
  const auto smaller = rules_.keep_going ? std::nullopt : memory_.smaller_failure(planned.cell);
  return smaller ? "smaller batch ran out of memory (batch " + std::to_string(*smaller) +
                       "); --keep-going tries this one anyway"
                 : "";
}

void SweepRun::cool_down() {
  if (rules_.cooldown_s <= 0) {
    return;
  }
  observer_.on_cooldown(rules_.cooldown_s);
  rest(rules_.cooldown_s, rules_.stop);
}

void SweepRun::wait_for_quiet(const Cell& cell) {
  if (rules_.wait_quiet_s <= 0) {
    return;
  }
  const bool has_gpu = rules_.telemetry != nullptr && !rules_.telemetry->gpus().empty();
  wait_until_quiet({.limit_s = rules_.wait_quiet_s, .stop = rules_.stop},
                   cores_needed_by(cell, has_gpu),
                   [this](const std::string& text) { observer_.on_quiet_wait(text); });
}

void SweepRun::count(const Cell& cell, Status status) {
  memory_.learn(cell, status);
  const bool out_of_memory = status == Status::kOomDevice || status == Status::kOomHost;
  if (searching_ && out_of_memory && cell.batch > 1) {
    return; // a search ends in this way
  }
  ++(status == Status::kOk ? tally_.ok : tally_.not_ok);
  tally_.interrupted = tally_.interrupted || status == Status::kInterrupted;
}

} // namespace

SweepTally run_sweep(const std::vector<SweepCell>& cells, const std::vector<SweepStep>& steps,
                     const SweepRules& rules, const RecordContext& context, Executor& executor,
                     SweepObserver& observer) {
  SweepRun run(rules, context, executor, observer);
  std::map<std::string, std::size_t> last_steps; // by device
  for (std::size_t i = 0; i < steps.size(); ++i) {
    last_steps[cells[steps[i].cell].planned.cell.device] = i;
  }
  for (std::size_t i = 0; i < steps.size() && !run.interrupted(); ++i) {
    const SweepCell& swept = cells[steps[i].cell];
    run.step(swept, steps[i], last_steps.at(swept.planned.cell.device) == i);
  }
  return run.tally();
}

} // namespace sdbench
