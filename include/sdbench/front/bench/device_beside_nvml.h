#pragma once

#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/telemetry/gpu_sensors.h"

namespace sdbench {

// What a worker says of its device, beside what NVML says of the machine. `gpus`: NVML's.

/// The driver's version where the worker could not read it (WSL2, gVisor): NVML's, else the CUDA
/// that the driver takes: "CUDA 13.0". Empty for a CPU.
[[nodiscard]] std::string driver_version_of(const DeviceInfo& device,
                                            const std::vector<GpuFacts>& gpus);

/// The note about a cell that could have had a GPU and runs on the CPU, though a driver or a GPU is
/// here; empty where there is nothing to say. `visible`: our own CUDA_VISIBLE_DEVICES, which may
/// hide all GPUs on purpose, or nullptr if that is not set.
[[nodiscard]] std::string left_gpu_note(const DeviceInfo& device, const std::vector<GpuFacts>& gpus,
                                        const char* visible);

/// The record's flag beside that note.
inline constexpr const char* kLeftGpuFlag = "gpu_unusable";

} // namespace sdbench
