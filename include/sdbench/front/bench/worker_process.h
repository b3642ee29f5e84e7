#pragma once

#include <atomic>
#include <cstdint>
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
  /// Set from a signal handler: the running cell ends as `interrupted`, with the samples so far.
  /// May be null.
  const std::atomic<bool>* stop = nullptr;

  [[nodiscard]] bool is_stopped() const { return stop != nullptr && stop->load(); }
  /// Status of a failed cell. After a stop the failure may be the stop's result, so that the cell
  /// counts as interrupted and runs again.
  [[nodiscard]] Status status_of_failure() const {
    return is_stopped() ? Status::kInterrupted : Status::kError;
  }
};

class WorkerSession;

/// Runs cells in a worker process, which sees only the cell's device. The worker lives on after a
/// cell that ends well. A new worker replaces it after any other end, and for another device. Any
/// failure of the process (killed, crashed, silent, wrong output, not loadable) becomes the
/// outcome's status. The worker dies with the thread that ran the first cell, so use an executor
/// from one thread only.
class WorkerExecutor final : public Executor {
public:
  explicit WorkerExecutor(WorkerOptions options);
  ~WorkerExecutor() override;

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override;
  std::vector<DeviceInfo> devices() override;
  std::optional<double> estimate(const Cell& cell) override;
  /// Ends the worker; the next cell starts another.
  void restart() override;
  /// True if a worker is alive between cells, with its models loaded.
  [[nodiscard]] bool has_worker() const { return session_ != nullptr; }
  /// Writes synthetic weights as a diffusers folder; the outcome has no result.
  CellOutcome export_weights(const messages::ExportRequest& request, ExecutorObserver& observer);

private:
  CellOutcome exchange(const messages::Request& request, const WorkerSeat& seat,
                       ExecutorObserver& observer);

  WorkerOptions options_;
  std::unique_ptr<WorkerSession> session_; ///< the live worker; may be null
  std::int64_t threads_before_ = 0; ///< of the latest cell, so that a sweep reports them once
};

} // namespace sdbench
