#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/earlier_rows.h"
#include "sdbench/front/bench/executor_thread.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// How a sweep goes on between its cells.
struct SweepRules {
  double cooldown_s = 0;   ///< rest between two cells that run
  double wait_quiet_s = 0; ///< longest wait for other programs before each cell that runs
  bool keep_going = false;
  const std::atomic<bool>* stop = nullptr; ///< set from a signal handler; may be null
  EarlierRows* earlier = nullptr;          ///< --resume: rows that replace a run; may be null
  Telemetry* telemetry = nullptr;          ///< the sensors beside the cells; may be null
  ExecutorTeam* team = nullptr;            ///< for parallel executions; null if the sweep has none
};

/// Receives the progress of a sweep.
class SweepObserver {
public:
  virtual ~SweepObserver() = default;
  /// A cell begins; its events go to the returned observer.
  virtual ExecutorObserver& on_cell(const Cell& cell) = 0;
  /// A parallel execution begins. Returns one observer for each device; no two are called at the
  /// same time.
  virtual std::vector<ExecutorObserver*> on_parallel_cell(const Cell& whole) = 0;
  /// A step has ended with a row. A parallel execution gives one for each device, then their sum.
  virtual void on_record(const RunRecord& record) = 0;
  /// The rows that the outputs held before, then all rows received so far. Used for intervals
  /// between runs and for speeds that are already measured.
  [[nodiscard]] virtual std::span<const RunRecord> rows() const = 0;
  /// A step is not run, because the outputs hold its row, whose status is `earlier`.
  virtual void on_resumed(const Cell& cell, Status earlier) = 0;
  virtual void on_cooldown(double seconds) = 0;
  /// A cell begins or ends its wait for other programs; in words.
  virtual void on_quiet_wait(const std::string& text) = 0;
};

/// Counts of steps by status; a parallel execution counts by its sum. Includes steps that an
/// earlier row replaces.
struct SweepTally {
  std::size_t ok = 0;
  std::size_t not_ok = 0;
  bool interrupted = false; ///< later steps were left out
};

/// Runs the steps in order and gives each a row (see on_record for parallel executions). Impossible
/// steps also get a row, and so do steps left out because a smaller batch ran out of memory (unless
/// keep_going). An interruption ends the sweep. A failure within a cell becomes its status.
/// `context`: fields that all rows share. Throws Error only if --resume needs the list of devices
/// and cannot get it.
[[nodiscard]] SweepTally run_sweep(const std::vector<SweepCell>& cells,
                                   const std::vector<SweepStep>& steps, const SweepRules& rules,
                                   const RecordContext& context, Executor& executor,
                                   SweepObserver& observer);

} // namespace sdbench
