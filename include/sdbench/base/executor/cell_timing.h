#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/stopping.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"

namespace sdbench {

/// Does a cell's work and times its runs for CellTiming. Knows which parts the work has; CellTiming
/// does not.
class TimedWork {
public:
  /// Called for each step that has really finished (`step` counts through all batches). An
  /// exception from it ends the run.
  using StepListener = std::function<void(std::int64_t step, double seconds)>;

  virtual ~TimedWork() = default;
  [[nodiscard]] virtual std::int64_t steps_of_batch() const = 0;
  /// A run: all batches of the cell.
  virtual RunSample run_all(const StepListener& listener) = 0;
  /// The first batch alone.
  virtual RunSample run_first_batch(const StepListener& listener) = 0;
};

/// The stages of a cell by the clock: load, first run, warm-up, timed runs, and the end of each.
/// Fills in times, counts and reasons of a CellResult. Uses neither libtorch nor a real clock.
class CellTiming {
public:
  using Now = std::function<double()>; ///< seconds since an arbitrary moment; never decreases

  /// The cell begins now. `stop`, set by another thread or a signal, ends it at its next step; may
  /// be null.
  CellTiming(const Cell& cell, ExecutorObserver& observer, const std::atomic<bool>* stop, Now now);

  /// Loading begins now, possibly again with another dtype. load_s leaves out the time before.
  void restart_load() { load_start_s_ = now_(); }
  /// The weights are on the device. load_s excludes the time that prepare_s of the result already
  /// includes.
  void loaded(CellResult& result) const {
    result.load_s = now_() - load_start_s_ - result.prepare_s;
  }

  // Both throw CellFailure(kInterrupted) at a stop, and leave the measurements so far in `result`.
  void run_first(TimedWork& work, CellResult& result);
  void warm_up(TimedWork& work, CellResult& result);
  /// `after_run` is called after each timed run, and not counted in any time. An exception from it
  /// ends the cell.
  void measure(TimedWork& work, CellResult& result, const std::function<void()>& after_run = {});

private:
  [[nodiscard]] double elapsed_s() const { return now_() - start_s_; }
  void wait_for_others(std::int64_t run, bool another_follows);
  [[nodiscard]] TimedWork::StepListener listener(std::int64_t run, std::int64_t steps);
  /// Calls `make`. False if --max-time ended it early; `step_s_` then has the finished steps.
  template <typename Make>
  bool complete(const Make& make, CellStage stage, CellResult& result);

  const Cell& cell_;
  ExecutorObserver& observer_;
  const std::atomic<bool>* stop_;
  Now now_;
  StopRule rule_;
  double start_s_;
  double load_start_s_;
  std::vector<double> step_s_; ///< of the current run
};

} // namespace sdbench
