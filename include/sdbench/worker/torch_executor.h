#pragma once

#include <atomic>
#include <vector>

#include "sdbench/executor/executor.h"

namespace sdbench {

/// Runs cells on libtorch in this process: chooses device and dtypes, loads the model, makes the
/// first image, warms up, measures, proves the result right, writes files.
class TorchExecutor final : public Executor {
public:
  /// `stop`, set from outside, ends a cell as `interrupted` at its next step. May be null.
  explicit TorchExecutor(const std::atomic<bool>* stop = nullptr) : stop_(stop) {}

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override;
  std::vector<DeviceInfo> devices() override;
  void restart() override {}

private:
  const std::atomic<bool>* stop_;
};

} // namespace sdbench
