#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/machine/machine_state.h"
#include "sdbench/front/telemetry/busy.h"
#include "sdbench/front/telemetry/summary.h"

namespace sdbench {

/// The processes on a GPU, except ours: "1234 (python3)".
struct GpuProcesses {
  bool seen = false;                ///< false: they cannot be seen from here (container, WSL)
  std::vector<std::string> others;  ///< those that compute
  std::vector<std::string> drawing; ///< those that draw and do no more, as a desktop's do
};

/// "unknown", "none", or the list: "1234 (python3), 900 (Xorg) draws".
[[nodiscard]] std::string describe(const GpuProcesses& processes);

/// Why figures may be worse than the hardware allows, and what to do about it.
struct Warning {
  std::string flag; ///< for the record: "throttled"
  std::string text; ///< one sentence for people
};

/// Warnings that are known before a cell is measured. `gpu` and `processes` are nullptr for a cell
/// on the CPU.
[[nodiscard]] std::vector<Warning> setup_warnings(const MachineState& machine, const GpuFacts* gpu,
                                                  const GpuProcesses* processes);

/// "busy": other programs used more cores than the cell can spare. `sharing`: of a Slurm job; the
/// advice is then about its node.
[[nodiscard]] Warning busy_warning(const OthersShare& others, const std::string& programs,
                                   const std::string& sharing = {});

/// Sensor findings while a cell was measured.
struct CellFindings {
  const TelemetrySummary* measured = nullptr; ///< of the timed part; never nullptr
  const GpuFacts* gpu = nullptr;              ///< nullptr for a cell on the CPU
  std::optional<double> drift; ///< growth of a step's time, where it is flagged: 0.1 is 10 %
  std::optional<std::int64_t> spilled_bytes;
  std::optional<std::int64_t> swap_traffic_bytes;
  std::optional<OthersShare> others = {}; ///< where they had so much that the cell was disturbed
  std::string other_programs = {};        ///< the heaviest of them, see heaviest_programs
  std::string slurm_sharing = {};         ///< see SlurmJob
  std::optional<double> runs_s = {}; ///< what the timed runs took by the worker's clock, if all did
  double suspended_s = 0;            ///< for how long the machine was suspended within the cell
};
/// True if the timed part, as the front saw it, was much longer than its runs. The sensor readings
/// then do not describe the runs alone.
[[nodiscard]] bool was_held_up(const CellFindings& findings);

/// True if the machine was suspended during the cell.
[[nodiscard]] bool was_suspended(const CellFindings& findings);

/// "throttled" is given in two cases: the GPU names heat or its power supply as a reason, or steps
/// grew slower (drift) while the temperature, or the share of time with reduced clocks, rose.
[[nodiscard]] std::vector<Warning> cell_warnings(const CellFindings& findings);

} // namespace sdbench
