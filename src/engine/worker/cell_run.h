#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include "sdbench/base/executor/cell_timing.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"

namespace sdbench {

/// What a cell of images and a cell of an image classifier have in common, from request to result.
/// A stage that fails throws; result() and stage() then tell how far the cell came.
class CellRun {
public:
  [[nodiscard]] CellStage stage() const { return stage_; }
  /// Empty until the model is loaded.
  [[nodiscard]] std::optional<CellResult> result() const;
  /// Empty until the device is chosen.
  [[nodiscard]] std::optional<DeviceInfo> device() const;

protected:
  CellRun(const Cell& cell, ExecutorObserver& observer, const std::atomic<bool>* stop);
  ~CellRun() = default;

  void enter(CellStage stage);
  void tell(const std::vector<std::string>& notes);
  /// Enters the first stage. Chooses the cell's device, calls gather_threads(), place_threads() and
  /// set_engine_switches(). Fills in the device and the number of threads in the result, and
  /// reports the device to the observer. Throws Error if the device is missing.
  void take_place();
  /// Sends a note if the cell will take long on a CPU. Call it before the load, which itself may
  /// take a minute. `type`: the dtype of the arithmetic. May measure the processor's FLOP/s, which
  /// does not count as load time.
  void tell_expected_time(c10::ScalarType type);
  /// The timed runs, with the memory that they take. `after_run`: see CellTiming::measure.
  void measure_runs(TimedWork& work, const std::function<void()>& after_run = {});
  /// True if golden values exist for these weights: they were made with synthetic:0.
  [[nodiscard]] bool has_golden_weights() const;
  /// Throws CellFailure(kInterrupted) once `stop` is set.
  void end_if_stopped() const;

  const Cell& cell_;
  ExecutorObserver& observer_;
  CellTiming timing_;
  bool loaded_ = false;
  CellResult result_;
  c10::Device device_ = c10::Device(c10::kCPU);
  bool has_bf16_ = false;

private:
  const std::atomic<bool>* stop_;
  CellStage stage_ = CellStage::kStart;
};

} // namespace sdbench
