#pragma once

#include <filesystem>

#include "sdbench/front/telemetry/gpu_sensors.h"
#include "sdbench/front/telemetry/warnings.h"

namespace sdbench {

/// Tells apart, among the processes on a GPU, this process and what it started from all others. The
/// list counts as known only if it contains one of our processes, because our worker must be in it:
/// in a container and under WSL the list is empty or has the host's process ids. Processes on
/// another instance of a split GPU use another device and are left out. `root` is "/" except in
/// tests.
[[nodiscard]] GpuProcesses sort_processes(const GpuProcessIds& ids,
                                          const std::filesystem::path& root = "/");

} // namespace sdbench
