#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "sdbench/base/core/status.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/protocol.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/bench/worker_seat.h"

namespace sdbench {

struct WorkerOptions {
  WorkerProgram program;
  double timeout_s = 600; ///< longest silence of the worker: no stage, step or other event
  /// Set from a signal handler: the running cell ends as `interrupted`, with the samples so far.
  /// May be null.
  const std::atomic<bool>* stop = nullptr;

  [[nodiscard]] bool is_stopped() const { return stop != nullptr && stop->load(); }
  /// Of what failed: while all is told to end it may have failed of that, and is to be done again.
  [[nodiscard]] Status status_of_failure() const {
    return is_stopped() ? Status::kInterrupted : Status::kError;
  }
};

class WorkerSession;

/// Runs cells in a worker process of its own, which sees the cell's device alone. It outlives a
/// cell that ends well, and is replaced after any other and for another device. Whatever happens to
/// the process (killed, crashed, silent, talking nonsense, not loadable) becomes the outcome's
/// status. The worker dies with the thread that ran the first cell, so use one executor from one
/// thread.
class WorkerExecutor final : public Executor {
public:
  explicit WorkerExecutor(WorkerOptions options);
  ~WorkerExecutor() override;

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override;
  std::vector<DeviceInfo> devices() override;
  std::optional<double> estimate(const Cell& cell) override;
  /// Ends the worker; the next cell starts another.
  void restart() override;
  /// True if a worker is alive between cells, with the models it has loaded.
  [[nodiscard]] bool has_worker() const { return session_ != nullptr; }
  /// Writes synthetic weights as a diffusers folder; the outcome has no result.
  CellOutcome export_weights(const protocol::ExportRequest& request, ExecutorObserver& observer);

private:
  CellOutcome exchange(const protocol::Request& request, const WorkerSeat& seat,
                       ExecutorObserver& observer);

  WorkerOptions options_;
  std::unique_ptr<WorkerSession> session_; ///< the living worker, if there is one
  std::int64_t threads_before_ = 0;        ///< of the latest cell: a sweep hears of them once
};

} // namespace sdbench
