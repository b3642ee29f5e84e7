#pragma once

#include <filesystem>

#include "sdbench/base/telemetry/gpu_sensors.h"
#include "sdbench/base/telemetry/warnings.h"

namespace sdbench {

/// Tells apart, among the processes on a GPU, this process and what it started from
/// all others. They count as seen only if one of ours is among them, as our worker must be: in a
/// container and under WSL the list is empty or has the host's numbers, which mean nothing here.
/// Those on another instance of a split GPU are on a device of their own and are left out. `root`
/// is "/" but in tests.
[[nodiscard]] GpuProcesses sort_processes(const GpuProcessIds& ids,
                                          const std::filesystem::path& root = "/");

} // namespace sdbench
