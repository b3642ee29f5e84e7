#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "sdbench/front/bench/executor_thread.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// What run_in_parallel() needs besides the cell.
struct ParallelSetting {
  ExecutorTeam& team;
  Telemetry* telemetry = nullptr;          ///< the sensors; may be null
  const std::atomic<bool>* stop = nullptr; ///< set from a signal handler; may be null
  /// Sum of the devices' images per minute when each ran alone, see sum_record.
  std::optional<double> alone_images_per_min;
};

/// Runs a cell on several devices at once. Each device runs its part in its own thread, and the
/// threads wait for each other before each timed run. If one device fails, the others still finish.
/// Returns one row for each of whole.parallel_devices, in this order, then the sum row for all
/// devices together. `observers`: one for each device; they are never called concurrently.
[[nodiscard]] std::vector<RunRecord>
run_in_parallel(const Cell& whole, const std::vector<ExecutorObserver*>& observers,
                RecordContext context, const ParallelSetting& setting);

} // namespace sdbench
