#pragma once

#include <string>
#include <vector>

#include "sdbench/base/telemetry/gpu_sensors.h"
#include "sdbench/front/bench/find_worker.h"

namespace sdbench {

/// What a libtorch needs of a machine, as the build left it beside its worker (gpu-code.json, of
/// the table in scripts/lib/choose_libtorch.sh).
struct GpuCode {
  std::string oldest_driver;             ///< "580"
  std::vector<std::string> capabilities; ///< it has code for: "8.6" runs on 8.9, too
};

/// Whether such a libtorch can compute on the GPU. One that does not tell its capability or its
/// driver is taken as served.
[[nodiscard]] bool serves(const GpuCode& code, const GpuFacts& gpu);

/// Of several workers the libtorch that serves the most of these GPUs, the first of `workers` where
/// some serve as many; a worker without gpu-code.json serves all. Empty: the choice is free, for
/// there are not two workers, or no GPUs. Throws Error for such a file of another form.
[[nodiscard]] std::string libtorch_for_gpus(const std::vector<WorkerProgram>& workers,
                                            const std::vector<GpuFacts>& gpus);

} // namespace sdbench
