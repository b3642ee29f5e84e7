#pragma once

#include <string>
#include <vector>

#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/telemetry/gpu_sensors.h"

namespace sdbench {

/// What a libtorch requires of a machine. The build writes it beside the worker (gpu-code.json,
/// from the table in scripts/lib/choose_libtorch.sh).
struct GpuCode {
  std::string oldest_driver; ///< "580"
  std::vector<std::string>
      capabilities; ///< compute capabilities with code; code for "8.6" also runs on 8.9
};

/// True if such a libtorch can compute on the GPU, or if the GPU's capability or driver is unknown.
[[nodiscard]] bool serves(const GpuCode& code, const GpuFacts& gpu);

/// The libtorch version that serves the most of these GPUs; the first of `workers` on a tie. A
/// worker without gpu-code.json serves all GPUs. Empty with fewer than two workers or without GPUs:
/// any worker will do. Throws Error for a malformed gpu-code.json.
[[nodiscard]] std::string libtorch_for_gpus(const std::vector<WorkerProgram>& workers,
                                            const std::vector<GpuFacts>& gpus);

} // namespace sdbench
