#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/bench/telemetry.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/telemetry/busy.h"
#include "sdbench/front/telemetry/other_programs.h"

namespace sdbench {

/// Sits between an executor and its observer while a cell (one benchmark configuration) runs. Tells
/// `telemetry` when each stage begins. Forwards every event to the observer, and adds warnings
/// about what the sensors measured.
class CellTelemetry final : public ExecutorObserver {
public:
  /// `shared`: see Telemetry::begin_cell.
  CellTelemetry(Telemetry& telemetry, ExecutorObserver& observer, TelemetryTag tag,
                std::optional<TelemetryTag> shared = {});

  /// Call this once the cell has ended. Fills the record's telemetry fields and its facts about the
  /// GPU (from NVML), adds flags to the record, and sends the warnings to the observer.
  void finish(RunRecord& record);

  void on_event(const CellEvent& event) override;

private:
  void enter(CellStage stage);
  void watch(const DeviceInfo& device);
  void need_cores(const CellResult& so_far);
  void find_device(const DeviceInfo& device);
  /// Adds to processes_ the processes that use the GPU now. Not called during timed runs, because
  /// listing processes is costly and holds the driver's lock.
  void look_at_processes();
  void warn(const std::vector<Warning>& warnings);
  void warn_of_others();
  /// The other programs that used the most CPU time since the cell began.
  [[nodiscard]] std::string other_programs() const;

  Telemetry& telemetry_;
  ExecutorObserver& observer_;
  Telemetry::CellKey key_ = 0;
  std::optional<GpuFacts> gpu_; ///< the cell's GPU; nullopt on a CPU
  std::int64_t worker_ = 0;     ///< process id of the worker that runs the cell; 0: unknown
  GpuProcesses processes_;      ///< all processes seen on gpu_ so far
  std::set<std::string> flags_;
  bool is_part_ = false;   ///< the cell is one device's part of a parallel execution
  bool is_loaded_ = false; ///< the model is loaded, and the next stage has not begun
  CoresNeeded needed_;
  ProcessTimes processes_before_;
  double start_s_ = 0;            ///< steady_seconds()
  double suspended_before_s_ = 0; ///< see Telemetry::suspended_s
};

} // namespace sdbench
