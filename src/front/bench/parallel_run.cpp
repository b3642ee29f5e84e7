#include "sdbench/front/bench/parallel_run.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/device_meeting.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/system/signals_blocked.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/bench/cell_to_record.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/bench/start_barrier.h"
#include "sdbench/front/bench/temporary_folder.h"
#include "sdbench/front/record/parallel_sum.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {
namespace {

/// The folder in which devices that train one network meet; other devices have no folder. If it
/// cannot be made, each device fails with that error.
class Meeting {
public:
  explicit Meeting(std::vector<Cell>& cells) {
    if (cells.front().share != kShareBatch) {
      return;
    }
    try {
      folder_.emplace();
    } catch (const Error& error) {
      obstacle_ = error.what();
      return;
    }
    for (Cell& cell : cells) {
      cell.meeting = folder_->path();
    }
  }

  /// Why the devices cannot meet, or nothing.
  [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
  /// Device `number` has ended, so the others must not wait for it.
  void leave(std::size_t number) const {
    if (folder_) {
      tell_ended(folder_->path(), static_cast<std::int64_t>(number));
    }
  }

private:
  std::optional<TemporaryFolder> folder_;
  std::string obstacle_;
};

/// Passes a device's events to its observer, one device at a time, and keeps the device from
/// starting before the others. Its destructor removes the device from the barrier.
class DeviceObserver final : public ExecutorObserver {
public:
  DeviceObserver(ExecutorObserver& observer, std::mutex& turn, StartBarrier& barrier,
                 const Meeting& meeting, std::size_t number)
      : observer_(observer), turn_(turn), barrier_(barrier), meeting_(meeting), number_(number) {}
  ~DeviceObserver() override {
    meeting_.leave(number_);
    barrier_.leave();
  }
  DeviceObserver(const DeviceObserver&) = delete;
  DeviceObserver& operator=(const DeviceObserver&) = delete;

  void on_event(const CellEvent& event) override {
    if (std::holds_alternative<ReadyEvent>(event)) {
      barrier_.wait();
      return;
    }
    const std::lock_guard lock(turn_);
    observer_.on_event(event);
  }

private:
  ExecutorObserver& observer_;
  std::mutex& turn_;
  StartBarrier& barrier_;
  const Meeting& meeting_;
  std::size_t number_;
};

/// The row of a device that could not start.
std::future<RunRecord> not_started(const Cell& cell, RecordContext context,
                                   const std::string& reason) {
  context.run_id = random_id();
  context.time_utc = utc_now();
  CellOutcome outcome;
  outcome.stage = CellStage::kStart;
  outcome.message = reason;
  std::promise<RunRecord> row;
  row.set_value(build_record(cell, outcome, context));
  return row.get_future();
}

} // namespace

std::vector<RunRecord> run_in_parallel(const Cell& whole,
                                       const std::vector<ExecutorObserver*>& observers,
                                       RecordContext context, const ParallelSetting& setting) {
  context.parallel_id = random_id();
  RecordContext sum_context = context;
  sum_context.run_id = context.parallel_id;
  sum_context.time_utc = utc_now();
  std::vector<Cell> cells = device_cells(whole);
  const Meeting meeting(cells);
  std::mutex turn;
  StartBarrier barrier(cells.size(), setting.stop);
  std::vector<Executor*> executors(cells.size());
  std::vector<std::future<RunRecord>> parts(cells.size());
  {
    const SignalsBlocked for_the_threads;
    // If a device's thread cannot start, the others do not wait for it.
    const auto try_to_start = [&](std::size_t i, const auto& start) {
      try {
        start();
      } catch (const std::exception& error) { // the machine's limit of threads, or of memory
        barrier.leave();
        parts[i] = not_started(cells[i], context,
                               "a thread must be started for the device, but that failed: " +
                                   std::string(error.what()));
        meeting.leave(i);
      }
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!meeting.obstacle().empty()) {
        parts[i] = not_started(cells[i], context, meeting.obstacle());
        continue;
      }
      try_to_start(i, [&] { executors[i] = &setting.team.of(cells[i].device); });
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (executors[i] == nullptr) {
        continue;
      }
      try_to_start(i, [&] {
        parts[i] = std::async(std::launch::async, [&, i] {
          DeviceObserver observer(*observers[i], turn, barrier, meeting, i);
          RunRecord row = run_cell(cells[i], *executors[i], observer, context, setting.telemetry);
          observer.on_event(StageEvent{CellStage::kEnded});
          return row;
        });
      });
    }
  }
  auto rows = mapped(parts, [](std::future<RunRecord>& part) { return part.get(); });
  RunRecord sum = sum_record(whole, rows, sum_context, setting.alone_images_per_min);
  flag_lost_partners(rows);
  rows.push_back(std::move(sum));
  return rows;
}

} // namespace sdbench
