#pragma once

#include <filesystem>

#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/warnings.h"

namespace sdbench {

/// Returns the processes on a GPU except ours (this process and its descendants). Our worker uses
/// the GPU, so a list without any of our processes is incomplete, and GpuProcesses::seen is then
/// false. This happens in a container and under WSL, where the list is empty or has process ids of
/// the host. Processes on another MIG instance of the GPU use another device and are left out.
/// `root` is "/" except in tests.
[[nodiscard]] GpuProcesses sort_processes(const GpuProcessIds& ids,
                                          const std::filesystem::path& root = "/");

} // namespace sdbench
