#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/device/device_kind_table.h"

namespace sdbench {

/// The device that a cell ran on, as the worker sees it. Members that are empty or 0 (except
/// `index`) are unknown, or do not apply to the device.
struct DeviceInfo {
  /// Empty if unknown, or if several devices are described as one (see kinds).
  std::optional<DeviceKind> kind;
  std::string name; ///< "NVIDIA H200", "AMD EPYC 9R14"
  /// GPU: architecture generation ("Hopper"). CPU: widest vector instruction set ("avx512_bf16").
  std::string arch;
  std::string compute_capability; ///< "9.0"; empty on a CPU
  std::string driver_version;     ///< empty on a CPU, or if unknown
  int index = 0;                  ///< index of the device among those that the worker sees
  std::int64_t memory_total_bytes = 0;
  std::int64_t memory_free_bytes = 0; ///< free memory before the model is loaded
  // The following members are set only by the process that computes, and are empty for a CPU.
  std::string uuid = {};        ///< "GPU-5c2c1f50-…"; a MIG instance has a UUID of its own
  std::string pci_address = {}; ///< "00000000:41:00.0"
  std::int64_t sm_count = 0;    ///< number of streaming multiprocessors; 0: unknown
  std::string cuda_runtime_version = {}; ///< "13.0"
  std::string cudnn_version = {};        ///< "9.13.0"
  std::string cuda_driver_version = {};  ///< newest CUDA version that the driver supports: "13.0"
  // The next two members are set for the CPU if no GPU was found: the reason, and true if driver
  // and GPU are present and should work. See CudaObstacle.
  std::string cuda_obstacle = {};
  bool cuda_driver_is_here = false;
  /// Kinds of several devices that are described as one; each kind once.
  std::vector<DeviceKind> kinds = {};
};

/// Finds the device that the value `asked` of --device means; nullptr if it is not in `devices`.
/// - "auto": the first NVIDIA GPU, else the CPU.
/// - "cpu" and "cpu:K" (a part of the cores): the CPU.
/// - "cuda": the first NVIDIA GPU.
/// - "cuda:N": of the NVIDIA GPUs in `devices`, the one with number N (the first is 0).
/// - "intel" and "intel:N": the same for Intel's GPUs.
[[nodiscard]] const DeviceInfo* find_device(const std::string& asked,
                                            const std::vector<DeviceInfo>& devices);

} // namespace sdbench
