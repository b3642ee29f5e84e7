#pragma once

#include <string>
#include <vector>

#include <c10/core/Device.h>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// `asked`: "auto" (the first GPU, else the CPU), "cpu" or "cpu:K", "cuda" (the first GPU) or
/// "cuda:N". `gpus`: the existing ones. Throws Error that lists them if the requested one is
/// missing.
[[nodiscard]] c10::Device choose_device(const std::string& asked,
                                        const std::vector<DeviceInfo>& gpus);

/// The cell's device, by its name in this worker. `why_no_gpu`: the error for a cell that must have
/// a GPU if there is none.
[[nodiscard]] c10::Device choose_device(const Cell& cell, const std::vector<DeviceInfo>& gpus,
                                        const std::string& why_no_gpu);

/// The device's facts, with the memory that is free now.
[[nodiscard]] DeviceInfo describe_device(c10::Device device, const std::vector<DeviceInfo>& gpus);

/// True if the device computes bf16 natively. On a CPU: if oneDNN does, which ONEDNN_MAX_CPU_ISA
/// may forbid.
[[nodiscard]] bool has_bf16(const DeviceInfo& device);

/// True if the device can compute fp32 as TF32.
[[nodiscard]] bool has_tf32(const DeviceInfo& device);

/// True if the device is a GPU with tensor cores. All of them multiply at least fp16.
[[nodiscard]] bool has_tensor_cores(const DeviceInfo& device);

/// Bytes of memory that a model can still take on the device.
[[nodiscard]] std::int64_t free_memory_bytes(c10::Device device);

} // namespace sdbench
