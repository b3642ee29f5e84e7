#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "cell_run.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/engine/distributed/data_parallel.h"
#include "sdbench/engine/models/classifier.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/worker/network_work.h"

namespace sdbench {

/// Runs one cell that computes an image classifier.
class NetworkCellRun final : public CellRun {
public:
  NetworkCellRun(const Cell& cell, ExecutorObserver& observer, const std::atomic<bool>* stop);

  /// Runs all stages in order.
  void run();

private:
  void load();
  void wait_for_copies();
  void take_data();
  void meet_others();
  [[nodiscard]] NetworkOptions options_of(Precision precision) const;
  [[nodiscard]] bool folds() const;
  /// Which form of the network to build. kOfCell: as the cell asks. kPlain: as in engine plain,
  /// without folded norms and packed weights.
  enum class Order { kOfCell, kPlain };
  [[nodiscard]] Classifier build(Gradients gradients, Order order = Order::kOfCell);
  void record_engine(Precision precision);
  void check_output();
  [[noreturn]] void refuse_output();
  void test();
  void check_golden();
  void check_in_plain_order();

  NetworkOptions options_;
  Packing packing_ = Packing::kNone;
  std::optional<Dataset> data_; ///< only for epochs
  std::optional<Classifier> network_;
  std::unique_ptr<DeviceClock> clock_;
  std::unique_ptr<DataParallel> others_; ///< only in a shared batch
  std::optional<NetworkWork> work_;
};

} // namespace sdbench
