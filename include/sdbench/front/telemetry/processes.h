#pragma once

#include <filesystem>

#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/warnings.h"

namespace sdbench {

/// Separates the processes on a GPU into ours (this process and its descendants) and all others.
/// Our worker uses the GPU, so a list without one of our processes is incomplete, and the result is
/// "unknown". So it is in a container and under WSL, where the list is empty or has process ids of
/// the host. Processes on another MIG instance of a split GPU use another device and are left out.
/// `root` is "/" except in tests.
[[nodiscard]] GpuProcesses sort_processes(const GpuProcessIds& ids,
                                          const std::filesystem::path& root = "/");

} // namespace sdbench
