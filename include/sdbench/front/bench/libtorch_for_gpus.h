#pragma once

#include <string>
#include <vector>

#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/telemetry/gpu_reading.h"

namespace sdbench {

/// The drivers and GPUs with which a libtorch works. The build writes these facts beside the worker
/// (gpu-code.json, from the table in scripts/lib/choose_libtorch.sh).
struct GpuCode {
  std::string oldest_driver; ///< oldest driver version that works: "580"
  /// The compute capabilities for which the libtorch contains GPU code. Code for "8.6" also runs on
  /// 8.9.
  std::vector<std::string> capabilities;
};

/// True if a libtorch described by `code` can compute on the GPU. An unknown capability or driver
/// of the GPU counts as supported.
[[nodiscard]] bool serves(const GpuCode& code, const GpuFacts& gpu);

/// The libtorch version that works with the largest number of these GPUs; on a tie, the one that
/// comes first in `workers`. A worker without gpu-code.json counts as working with all GPUs. Empty
/// if there are fewer than two workers or no GPUs, because then there is nothing to choose. Throws
/// Error for a malformed gpu-code.json.
[[nodiscard]] std::string libtorch_for_gpus(const std::vector<WorkerProgram>& workers,
                                            const std::vector<GpuFacts>& gpus);

} // namespace sdbench
