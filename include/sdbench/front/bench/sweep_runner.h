#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/earlier_rows.h"
#include "sdbench/front/bench/executor_thread.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// Rules for the time between the cells of a sweep, and objects that all its cells use.
struct SweepRules {
  double cooldown_s = 0;   ///< pause before each cell that runs, except the first such cell
  double wait_quiet_s = 0; ///< longest wait before a cell runs, for other programs to free cores
  bool keep_going = false;
  ProbeUse probe = ProbeUse::kOff;
  const std::atomic<bool>* stop = nullptr; ///< set from a signal handler; may be null
  EarlierRows* earlier = nullptr;          ///< --resume: rows that replace executions; may be null
  Telemetry* telemetry = nullptr;          ///< sensors to sample while cells run; may be null
  ExecutorTeam* team = nullptr;            ///< for parallel executions; null if the sweep has none
};

/// Receives the progress of a sweep.
class SweepObserver {
public:
  virtual ~SweepObserver() = default;
  /// A cell begins; its events go to the returned observer.
  virtual ExecutorObserver& on_cell(const Cell& cell) = 0;
  /// A parallel execution begins. Returns one observer for each device; they are never called
  /// concurrently.
  virtual std::vector<ExecutorObserver*> on_parallel_cell(const Cell& whole) = 0;
  /// Called for each row of a step that has ended. A parallel execution has one row for each
  /// device, then the sum row.
  virtual void on_record(const RunRecord& record) = 0;
  /// The rows that the output files held before the sweep, then all rows received so far. Used for
  /// statistics over repeated rows of a cell, and to look up speeds that were measured already.
  [[nodiscard]] virtual std::span<const RunRecord> rows() const = 0;
  /// A step does not run, because the output files already hold its row. `earlier`: that row's
  /// status.
  virtual void on_resumed(const Cell& cell, Status earlier) = 0;
  virtual void on_cooldown(double seconds) = 0;
  /// A cell begins or ends its wait for other programs; `text` says which, in words for people.
  virtual void on_quiet_wait(const std::string& text) = 0;
};

/// Number of steps by status. A parallel execution counts once, with the status of its sum row. A
/// step that an earlier row replaces counts with that row's status.
struct SweepTally {
  std::size_t ok = 0;
  std::size_t not_ok = 0;
  bool interrupted = false; ///< the sweep ended early; later steps did not run
};

/// Runs the steps in order and makes a row for each (see on_record for parallel executions). A step
/// gets a row with status skipped if its cell cannot run, or if a smaller batch ran out of memory
/// (unless keep_going is set). If a cell fails, its row's status says so, and the sweep goes on. An
/// interruption ends the sweep. `context`: fields that all rows share. Throws Error only if
/// --resume needs the list of devices and cannot get it.
[[nodiscard]] SweepTally run_sweep(const std::vector<SweepCell>& cells,
                                   const std::vector<SweepStep>& steps, const SweepRules& rules,
                                   const RecordContext& context, Executor& executor,
                                   SweepObserver& observer);

} // namespace sdbench
