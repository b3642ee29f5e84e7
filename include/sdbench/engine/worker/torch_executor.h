#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/engine/worker/product_rate.h"

namespace sdbench {

class KeptModel;

/// Runs cells (configurations to measure, see plan/cell.h) on libtorch in this process: chooses
/// device and dtypes, loads the model, makes the first image, warms up, measures, checks the
/// result, writes files. Keeps the model loaded for later cells that use the same model.
class TorchExecutor final : public Executor {
public:
  /// `stop` may be null. Once it is set from outside, the running cell ends at its next step with
  /// status `interrupted`.
  explicit TorchExecutor(const std::atomic<bool>* stop = nullptr);
  ~TorchExecutor() override;

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override;
  std::vector<DeviceInfo> devices() override;
  std::optional<double> estimate(const Cell& cell) override;
  CellOutcome probe(const ProbePlace& place, ExecutorObserver& observer) override;
  void restart() override;

private:
  const std::atomic<bool>* stop_;
  std::unique_ptr<KeptModel> model_;
  ProductRates rates_;   ///< product rates, for estimates
  bool is_used_ = false; ///< true once a cell has run here
};

} // namespace sdbench
