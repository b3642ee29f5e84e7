#pragma once

#include <filesystem>

#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/warnings.h"

namespace sdbench {

/// Separates the processes on a GPU into ours (this process and its descendants) and all others.
/// Our worker uses the GPU, so the list counts as known only if it contains one of our processes.
/// In a container and under WSL, the list is empty or has process ids of the host, so it counts as
/// unknown. Processes on another MIG instance of a split GPU use another device and are left out.
/// `root` is "/" except in tests.
[[nodiscard]] GpuProcesses sort_processes(const GpuProcessIds& ids,
                                          const std::filesystem::path& root = "/");

} // namespace sdbench
