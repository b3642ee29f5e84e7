#pragma once

#include <string>
#include <vector>

#include <c10/core/Device.h>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Returns the device that `asked` names: "auto" (the first GPU, or the CPU if there is no GPU),
/// "cpu" or "cpu:K" (the CPU), "cuda" (the first GPU) or "cuda:N". `gpus`: the GPUs that exist. If
/// the requested device is missing, throws an Error that lists the existing ones.
[[nodiscard]] c10::Device choose_device(const std::string& asked,
                                        const std::vector<DeviceInfo>& gpus);

/// Returns the cell's device, numbered as this worker process sees it. Throws an Error with the
/// reason `why_no_gpu` if the cell asks for a GPU and this process sees none.
[[nodiscard]] c10::Device choose_device(const Cell& cell, const std::vector<DeviceInfo>& gpus,
                                        const std::string& why_no_gpu);

/// Describes the device, including the memory that is free now.
[[nodiscard]] DeviceInfo describe_device(c10::Device device, const std::vector<DeviceInfo>& gpus);

/// True if the device computes bf16 natively. On a CPU, oneDNN must also support bf16, which
/// ONEDNN_MAX_CPU_ISA may forbid.
[[nodiscard]] bool has_bf16(const DeviceInfo& device);

/// True if the device can compute fp32 as TF32.
[[nodiscard]] bool has_tf32(const DeviceInfo& device);

/// True if the device is a GPU with tensor cores, which in all generations support fp16.
[[nodiscard]] bool has_tensor_cores(const DeviceInfo& device);

/// Bytes of the device's memory that are free for a model.
[[nodiscard]] std::int64_t free_memory_bytes(c10::Device device);

} // namespace sdbench
