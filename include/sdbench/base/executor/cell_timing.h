#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/stopping.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"

namespace sdbench {

/// Executes a cell's work and measures the time of each run for CellTiming. Only TimedWork knows
/// what parts the work consists of.
class TimedWork {
public:
  /// Called when the device, not just the host, has finished a step. `step` counts from 0 through
  /// all batches of the run; `seconds`: the step's own time. If the listener throws, the run ends.
  using StepListener = std::function<void(std::int64_t step, double seconds)>;

  virtual ~TimedWork() = default;
  /// Number of steps of one batch.
  [[nodiscard]] virtual std::int64_t steps_of_batch() const = 0;
  /// Executes one run, that is, all batches of the cell.
  virtual RunSample run_all(const StepListener& listener) = 0;
  /// Executes only the first batch.
  virtual RunSample run_first_batch(const StepListener& listener) = 0;
};

/// Takes a cell through its timed stages: load, first run, warm-up and timed runs. Decides when
/// each stage ends. Sets the times, counts, warm-up reason and stop reason of a CellResult. Uses
/// neither libtorch nor a real clock.
class CellTiming {
public:
  /// Returns seconds since an arbitrary moment; never decreases.
  using Now = std::function<double()>;

  /// The cell's time begins with this call. `stop`: a flag that another thread or a signal handler
  /// sets to end the cell after its current step; may be nullptr.
  CellTiming(const Cell& cell, ExecutorObserver& observer, const std::atomic<bool>* stop, Now now);

  /// Starts the measurement of load_s, or starts it again (for example, to load with another
  /// dtype). The time before this call does not count as load_s.
  void restart_load() { load_start_s_ = now_(); }
  /// Must be called when the weights are on the device and result.prepare_s is set. Sets load_s to
  /// the time since restart_load(), minus prepare_s.
  void loaded(CellResult& result) const {
    result.load_s = now_() - load_start_s_ - result.prepare_s;
  }

  // All three throw CellFailure(kInterrupted) if `stop` is set. The measurements so far are then in
  // `result`.
  /// Executes the first run, which is cold.
  void run_first(TimedWork& work, CellResult& result);
  /// Repeats the first batch until enough_warmups() gives a reason to stop.
  void warm_up(TimedWork& work, CellResult& result);
  /// Does timed runs until enough_runs() gives a reason to stop. `after_run` is called after each
  /// timed run; no measured time includes it. If it throws, the cell ends.
  void measure(TimedWork& work, CellResult& result, const std::function<void()>& after_run = {});

private:
  [[nodiscard]] double elapsed_s() const { return now_() - start_s_; }
  void wait_for_others(std::int64_t run, bool another_follows);
  [[nodiscard]] TimedWork::StepListener listener(std::int64_t run, std::int64_t steps);
  /// Calls `make`, which executes a run. Returns false if --max-time ended the run early; `step_s_`
  /// then contains the finished steps.
  template <typename Make>
  bool complete(const Make& make, CellStage stage, CellResult& result);

  const Cell& cell_;
  ExecutorObserver& observer_;
  const std::atomic<bool>* stop_;
  Now now_;
  StopRule rule_;
  double start_s_;
  double load_start_s_;
  std::vector<double> step_s_; ///< seconds of each finished step of the current run
};

} // namespace sdbench
