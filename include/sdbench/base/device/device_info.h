#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/device/device_kind.h"

namespace sdbench {

/// The device a cell ran on, as the worker sees it.
struct DeviceInfo {
  std::optional<DeviceKind> kind; ///< empty if unknown, or for several (see kinds)
  std::string name;               ///< "NVIDIA H200", "AMD EPYC 9R14"
  std::string
      arch; ///< architecture generation ("Hopper"), or the CPU's widest vector set ("avx512_bf16")
  std::string compute_capability; ///< "9.0"; empty on a CPU
  std::string driver_version;     ///< empty on a CPU, or if unknown
  int index = 0;                  ///< among the devices that the worker sees
  std::int64_t memory_total_bytes = 0;
  std::int64_t memory_free_bytes = 0; ///< before the model is loaded
  // Known only to the process that computes; empty on a CPU.
  std::string uuid = {};                 ///< "GPU-5c2c1f50-…"; a MIG slice has its own
  std::string pci_address = {};          ///< "00000000:41:00.0"
  std::int64_t sm_count = 0;             ///< 0: unknown
  std::string cuda_runtime_version = {}; ///< "13.0"
  std::string cudnn_version = {};        ///< "9.13.0"
  std::string cuda_driver_version = {};  ///< newest CUDA that the driver supports: "13.0"
  // Set for the CPU if no GPU was found; see CudaObstacle.
  std::string cuda_obstacle = {};
  bool cuda_driver_is_here = false;
  std::vector<DeviceKind> kinds = {}; ///< of several devices described as one, each kind once
};

/// The device for --device among `devices`, or nullptr: "auto" (the first GPU, else the CPU), "cpu"
/// or "cpu:K" (a part of it), "cuda" (the first GPU) or "cuda:N", where N counts the GPUs of the
/// list.
[[nodiscard]] const DeviceInfo* find_device(const std::string& asked,
                                            const std::vector<DeviceInfo>& devices);

} // namespace sdbench
