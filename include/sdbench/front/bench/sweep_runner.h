#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/sweep.h"
#include "sdbench/base/record/build_record.h"
#include "sdbench/front/bench/earlier_rows.h"
#include "sdbench/front/bench/executor_team.h"
#include "sdbench/front/bench/telemetry.h"

namespace sdbench {

/// How a sweep goes on between its cells.
struct SweepRules {
  double cooldown_s = 0;   ///< rest between two cells that run
  double wait_quiet_s = 0; ///< before each cell that runs, at most, until others are quiet
  bool keep_going = false;
  const std::atomic<bool>* stop = nullptr; ///< set from a signal handler; may be null
  EarlierRows* earlier = nullptr;          ///< --resume: what need not run again; may be null
  Telemetry* telemetry = nullptr;          ///< the sensors beside the cells; may be null
  ExecutorTeam* team = nullptr;            ///< of cells with a team; null where there is none
};

/// Hears how a sweep goes.
class SweepObserver {
public:
  virtual ~SweepObserver() = default;
  /// A cell begins; what happens in it is told to the observer that is returned.
  virtual ExecutorObserver& on_cell(const Cell& cell) = 0;
  /// A parallel execution begins: an observer for each of its devices, of which no two are called
  /// at the same time.
  virtual std::vector<ExecutorObserver*> on_parallel_cell(const Cell& whole) = 0;
  /// A step has ended with a row; a parallel execution with one for each device, and then its sum.
  virtual void on_record(const RunRecord& record) = 0;
  /// All rows that it has heard of, behind those that the outputs held before: for intervals
  /// between runs, and speeds that were measured already.
  [[nodiscard]] virtual std::span<const RunRecord> rows() const = 0;
  /// A step has no new row: the outputs hold one that says `earlier`.
  virtual void on_resumed(const Cell& cell, Status earlier) = 0;
  virtual void on_cooldown(double seconds) = 0;
  /// A cell waits for other programs, or no longer; in words.
  virtual void on_quiet_wait(const std::string& text) = 0;
};

/// Steps by how they ended (a parallel execution by its sum), those that an earlier row stands for
/// included.
struct SweepTally {
  std::size_t ok = 0;
  std::size_t not_ok = 0;
  bool interrupted = false; ///< what came after was left out
};

/// Runs the steps in order, one row each (see on_record for parallel executions): also for those
/// that cannot be, and for those left out because a smaller batch ran out of memory (unless
/// keep_going). An interruption ends it. What goes wrong in a cell is its status. `context` gives
/// what rows have in common. Throws Error only where --resume needs the devices and they cannot be
/// asked for.
[[nodiscard]] SweepTally run_sweep(const std::vector<SweepCell>& cells,
                                   const std::vector<SweepStep>& steps, const SweepRules& rules,
                                   const RecordContext& context, Executor& executor,
                                   SweepObserver& observer);

} // namespace sdbench
