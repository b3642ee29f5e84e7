#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/telemetry/busy.h"
#include "sdbench/front/telemetry/other_programs.h"

namespace sdbench {

/// Stands between an executor and its observer while a cell runs: it tells the sensors of each
/// stage, and the observer of every event and of the warnings that the sensors cause.
class CellTelemetry final : public ExecutorObserver {
public:
  /// `shared`: see Telemetry::begin_cell.
  CellTelemetry(Telemetry& telemetry, ExecutorObserver& observer, TelemetryTag tag,
                std::optional<TelemetryTag> shared = {});

  /// After the cell: fills the record's telemetry and what NVML knows of its GPU, adds flags, and
  /// sends the warnings to the observer.
  void finish(RunRecord& record);

  void on_event(const CellEvent& event) override;

private:
  void enter(CellStage stage);
  void watch(const DeviceInfo& device);
  void need_cores(const CellResult& so_far);
  void find_device(const DeviceInfo& device);
  /// Lists the processes on the GPU, which may change while the cell runs. Not called within timed
  /// runs, because the list is costly and holds the driver's lock.
  void look_at_processes();
  void warn(const std::vector<Warning>& warnings);
  void warn_of_others();
  /// The other programs that used the most CPU time since the cell began.
  [[nodiscard]] std::string other_programs() const;

  Telemetry& telemetry_;
  ExecutorObserver& observer_;
  Telemetry::CellKey key_ = 0;
  std::optional<GpuFacts> gpu_; ///< the cell's; nothing on a CPU
  std::int64_t worker_ = 0;     ///< the process that runs the cell; 0: unknown
  GpuProcesses processes_;      ///< all that were seen on that GPU so far
  std::set<std::string> flags_;
  bool is_part_ = false;   ///< of a parallel execution
  bool is_loaded_ = false; ///< and has not entered its next stage
  CoresNeeded needed_;
  ProcessTimes processes_before_;
  double start_s_ = 0;            ///< steady_seconds()
  double suspended_before_s_ = 0; ///< see Telemetry::suspended_s
};

} // namespace sdbench
