#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/device/machine_state.h"
#include "sdbench/telemetry/summary.h"

namespace sdbench {

/// The processes that compute on a GPU, ours left out.
struct GpuProcesses {
  bool seen = false;               ///< false: they cannot be seen from here (container, WSL)
  std::vector<std::string> others; ///< "1234 (python3)"
};

/// "unknown", "none", or the list.
[[nodiscard]] std::string describe(const GpuProcesses& processes);

/// Why figures may not be what the hardware can do, and what to do about it.
struct Warning {
  std::string flag; ///< for the record: "throttled"
  std::string text; ///< one sentence for people
};

/// What is known before a cell is measured. `gpu` and `processes`: nullptr for a cell on the CPU.
[[nodiscard]] std::vector<Warning> setup_warnings(const MachineState& machine, const GpuFacts* gpu,
                                                  const GpuProcesses* processes);

/// What the sensors have shown once it has been.
struct CellFindings {
  const TelemetrySummary* measured = nullptr; ///< of the timed part; never nullptr
  std::optional<double> power_limit_w;
  std::optional<std::int64_t> spilled_bytes;
  std::optional<std::int64_t> swap_growth_bytes;
};
[[nodiscard]] std::vector<Warning> cell_warnings(const CellFindings& findings);

} // namespace sdbench
