#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/bench/worker_seat.h"

namespace sdbench {

struct WorkerOptions {
  WorkerProgram program;
  double timeout_s = 600; ///< longest time without an event (stage, step, …) from the worker
  /// A flag that a signal handler sets. The running cell then ends with status interrupted and
  /// keeps its samples so far. May be null.
  const std::atomic<bool>* stop = nullptr;

  [[nodiscard]] bool is_stopped() const { return stop != nullptr && stop->load(); }
  /// Status of a cell that failed. After a stop it is kInterrupted, because the stop may have
  /// caused the failure; --resume then runs the cell again.
  [[nodiscard]] Status status_of_failure() const {
    return is_stopped() ? Status::kInterrupted : Status::kError;
  }
};

class WorkerSession;

/// Runs cells in a worker process, which sees only the cell's device. If a cell succeeds, the next
/// cell uses the same worker. After a failure, or if the next cell is for a different device, a new
/// worker replaces the old one. Any failure of the process (killed, crashed, silent, wrong output,
/// not loadable) becomes the outcome's status. The worker is killed when the thread that ran its
/// first cell ends, so use an executor from one thread only.
class WorkerExecutor final : public Executor {
public:
  explicit WorkerExecutor(WorkerOptions options);
  ~WorkerExecutor() override;

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override;
  std::vector<DeviceInfo> devices() override;
  std::optional<double> estimate(const Cell& cell) override;
  CellOutcome probe(const ProbePlace& place, ExecutorObserver& observer) override;
  /// Ends the worker; the next cell starts another.
  void restart() override;
  /// True if a worker is alive between cells, with its models loaded.
  [[nodiscard]] bool has_worker() const { return session_ != nullptr; }
  /// Writes synthetic weights as a diffusers folder. CellOutcome::result stays empty.
  CellOutcome export_weights(const messages::ExportRequest& request, ExecutorObserver& observer);

private:
  CellOutcome exchange(const messages::Request& request, const WorkerSeat& seat,
                       ExecutorObserver& observer);

  WorkerOptions options_;
  std::unique_ptr<WorkerSession> session_; ///< the live worker; may be null
  std::int64_t threads_before_ = 0;        ///< Cell::threads of the latest cell, to notice changes
};

/// Makes the executor of a run. Also sets options.program to the chosen worker, because the records
/// name the worker's libtorch version.
using ExecutorFactory = std::function<std::unique_ptr<Executor>(WorkerOptions& options)>;

} // namespace sdbench
