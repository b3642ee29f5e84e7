#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sdbench/base/executor/executor.h"

namespace sdbench {

/// Runs another executor in a thread of its own. The thread lives as long as this object. A worker
/// process is killed when the thread that started it ends, so each of several workers that run at
/// the same time needs its own thread. Each call waits until the thread has finished it. Calls must
/// come from one thread at a time. The observer is called in the executor's thread.
class ExecutorThread final : public Executor {
public:
  using Maker = std::function<std::unique_ptr<Executor>()>;

  /// Calls `make` in the executor's thread, at the first call that needs the executor.
  explicit ExecutorThread(Maker make);
  ~ExecutorThread() override;
  ExecutorThread(const ExecutorThread&) = delete;
  ExecutorThread& operator=(const ExecutorThread&) = delete;

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override;
  std::vector<DeviceInfo> devices() override;
  std::optional<double> estimate(const Cell& cell) override;
  CellOutcome probe(const ProbePlace& place, ExecutorObserver& observer) override;
  void restart() override;

private:
  /// Runs the task in thread_, and rethrows its exception in the calling thread.
  void call(const std::function<void(Executor&)>& task);
  void serve();

  Maker make_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::function<void()> task_; ///< the next task
  bool ending_ = false;
  std::unique_ptr<Executor> executor_; ///< used by the thread only
  std::thread thread_;                 ///< last member, because the thread uses all others
};

/// One executor for each device, for cells that run on several devices at once (--parallel). The
/// executors stay alive from cell to cell and keep their models loaded.
class ExecutorTeam {
public:
  explicit ExecutorTeam(ExecutorThread::Maker make) : make_(std::move(make)) {}

  /// The device's executor; the first call makes it. Throws std::system_error if its thread
  /// cannot be started.
  [[nodiscard]] Executor& of(const std::string& device);
  /// Restarts every executor, so that it keeps nothing from earlier cells.
  void restart();

private:
  ExecutorThread::Maker make_;
  std::map<std::string, std::unique_ptr<ExecutorThread>> members_; ///< executors by device
};

} // namespace sdbench
