#pragma once

#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/front/telemetry/gpu_sensors.h"

namespace sdbench {

// Completes what a worker says about its device with what NVML knows. `gpus`: from NVML.

/// The driver's version where the worker could not read it (WSL2, gVisor): from NVML, else the
/// highest CUDA version that the driver supports ("CUDA 13.0"). Empty for a CPU.
[[nodiscard]] std::string driver_version_of(const DeviceInfo& device,
                                            const std::vector<GpuFacts>& gpus);

/// A note if a cell runs on the CPU although a driver or a GPU is present; else empty. `visible`:
/// our own CUDA_VISIBLE_DEVICES, which may hide all GPUs on purpose, or nullptr if it is not set.
[[nodiscard]] std::string left_gpu_note(const DeviceInfo& device, const std::vector<GpuFacts>& gpus,
                                        const char* visible);

/// The record's flag that goes with that note.
inline constexpr const char* kLeftGpuFlag = "gpu_unusable";

} // namespace sdbench
