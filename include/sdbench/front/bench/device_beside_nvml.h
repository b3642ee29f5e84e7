#pragma once

#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/front/telemetry/gpu_reading.h"

namespace sdbench {

// NVML fills gaps in what a worker reports about its device. `gpus`: the machine's GPUs, from NVML.

/// The GPU driver's version, from the worker or, if the worker could not read it (WSL2, gVisor),
/// from NVML. If both lack the version, the text names the highest CUDA version that the driver
/// supports: "CUDA 13.0". Empty for a CPU.
[[nodiscard]] std::string driver_version_of(const DeviceInfo& device,
                                            const std::vector<GpuFacts>& gpus);

/// A note if a cell runs on the CPU although an NVIDIA driver or GPU is present; else empty. Also
/// empty if `visible` hides all GPUs. `visible`: this process's CUDA_VISIBLE_DEVICES, or nullptr if
/// it is not set.
[[nodiscard]] std::string left_gpu_note(const DeviceInfo& device, const std::vector<GpuFacts>& gpus,
                                        const char* visible);

/// A note if a GPU is split into instances (MIG) and `visible` names no instance; else empty. CUDA
/// shows a process only one instance, so a worker cannot count them.
[[nodiscard]] std::string unseen_instances_note(const std::vector<GpuFacts>& gpus,
                                                const char* visible);

/// The flag of records for which left_gpu_note() gives a note.
inline constexpr const char* kLeftGpuFlag = "gpu_unusable";

} // namespace sdbench
