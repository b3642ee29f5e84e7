#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "sdbench/front/bench/executor_thread.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// What a parallel execution needs besides its cell.
struct ParallelSetting {
  ExecutorTeam& team;
  Telemetry* telemetry = nullptr;             ///< the sensors; may be null
  const std::atomic<bool>* stop = nullptr;    ///< set from a signal handler; may be null
  std::optional<double> alone_images_per_min; ///< see sum_record
};

/// Runs a parallel execution: each device runs its part in its own thread, and the threads wait for
/// each other before each timed run. If one device fails, the others finish. Returns the rows of
/// the devices in order, then their sum. `observers`: one for each device; no two are called at the
/// same time.
[[nodiscard]] std::vector<RunRecord>
run_in_parallel(const Cell& whole, const std::vector<ExecutorObserver*>& observers,
                RecordContext context, const ParallelSetting& setting);

} // namespace sdbench
