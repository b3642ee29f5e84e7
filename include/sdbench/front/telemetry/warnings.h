#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/machine/machine_state.h"
#include "sdbench/front/telemetry/busy.h"
#include "sdbench/front/telemetry/summary.h"

namespace sdbench {

/// The processes on a GPU, except ours, each as id and name: "1234 (python3)".
struct GpuProcesses {
  bool seen = false;                ///< false: processes cannot be seen from here (container, WSL)
  std::vector<std::string> others;  ///< processes that compute
  std::vector<std::string> drawing; ///< processes that only draw, such as a desktop
};

/// The processes as text: "unknown", "none", or a list such as "1234 (python3), 900 (Xorg) draws".
[[nodiscard]] std::string describe(const GpuProcesses& processes);

/// A reason why results may be worse than the hardware allows, and what to do about it.
struct Warning {
  std::string flag; ///< flag of the record: "throttled"
  std::string text; ///< one sentence for people
};

/// Returns the warnings that are known before a cell is measured. `gpu` and `processes` are nullptr
/// for a cell on the CPU.
[[nodiscard]] std::vector<Warning> setup_warnings(const MachineState& machine, const GpuFacts* gpu,
                                                  const GpuProcesses* processes);

/// Returns the warning "busy": other programs used more cores than the cell can spare. The advice
/// depends on `sharing`, which is SlurmJob::sharing, or empty without Slurm.
[[nodiscard]] Warning busy_warning(const OthersShare& others, const std::string& programs,
                                   const std::string& sharing = {});

/// What the sensors found while a cell was measured.
struct CellFindings {
  const TelemetrySummary* measured = nullptr; ///< summary of the timed part; never nullptr
  const GpuFacts* gpu = nullptr;              ///< nullptr for a cell on the CPU
  std::string gpu_problem = {};               ///< why the GPU as a whole failed during the cell
  std::optional<Xids> xids = {};              ///< the GPU's errors during the cell
  /// Relative growth of the step time (0.1 is 10 %), if the row has the flag "drift".
  std::optional<double> drift;
  std::optional<std::int64_t> spilled_bytes; ///< nullopt: the GPU's memory was never full
  std::optional<std::int64_t> swap_traffic_bytes;
  /// Set if other programs used so much CPU time that they disturbed the cell.
  std::optional<OthersShare> others = {};
  std::string other_programs = {}; ///< the heaviest other programs, see heaviest_programs()
  std::string slurm_sharing = {};  ///< see SlurmJob
  /// Total time of the timed runs by the worker's clock, if all were completed.
  std::optional<double> runs_s = {};
  double suspended_s = 0; ///< time for which the machine was suspended during the cell
  bool in_wsl = false;    ///< the driver spills to Windows' memory, whose growth Linux does not see
};
/// True if the timed part took much longer by this process's clock than the timed runs took by the
/// worker's clock. The sensor readings then also cover time outside the runs.
[[nodiscard]] bool was_held_up(const CellFindings& findings);

/// True if the machine was suspended during the cell.
[[nodiscard]] bool was_suspended(const CellFindings& findings);

/// Returns the warnings that result from measuring a cell. "throttled" is given in two cases:
/// - The GPU reports heat or its power supply as the reason for lower clocks.
/// - Steps grew slower (drift) while the temperature, or the share of samples with reduced clocks,
///   rose.
[[nodiscard]] std::vector<Warning> cell_warnings(const CellFindings& findings);

} // namespace sdbench
