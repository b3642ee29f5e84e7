#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sdbench/front/bench/executor_thread.h"

namespace sdbench {

/// One executor for each device of parallel executions. They live from cell to cell and keep their
/// models.
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
  std::map<std::string, std::unique_ptr<ExecutorThread>> members_; ///< by device
};

} // namespace sdbench
