#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sdbench/front/bench/executor_thread.h"

namespace sdbench {

/// The executors of the devices of parallel executions, one for each. They stay from cell to cell,
/// with the models that they hold.
class ExecutorTeam {
public:
  explicit ExecutorTeam(ExecutorThread::Maker make) : make_(std::move(make)) {}

  /// The device's executor; the first call makes it. Throws std::system_error if its thread
  /// cannot be started.
  [[nodiscard]] Executor& of(const std::string& device);
  /// Each forgets what earlier cells left behind.
  void restart();

private:
  ExecutorThread::Maker make_;
  std::map<std::string, std::unique_ptr<ExecutorThread>> members_; ///< by device
};

} // namespace sdbench
