#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/device/device_kind.h"

namespace sdbench {

/// The device a cell ran on, as the worker sees it.
struct DeviceInfo {
  std::optional<DeviceKind> kind; ///< nothing: not known, or several (see kinds)
  std::string name;               ///< "NVIDIA H200", "AMD EPYC 9R14"
  std::string
      arch; ///< architecture generation ("Hopper"), or the CPU's widest vector set ("avx512_bf16")
  std::string compute_capability; ///< "9.0"; empty on a CPU
  std::string driver_version;     ///< empty on a CPU, or where it cannot be read
  int index = 0;                  ///< among the devices the worker sees
  std::int64_t memory_total_bytes = 0;
  std::int64_t memory_free_bytes = 0; ///< before the model is loaded
  // Known only to the process that computes; empty on a CPU.
  std::string uuid = {};                 ///< "GPU-5c2c1f50-…"; a MIG slice has one of its own
  std::string pci_address = {};          ///< "00000000:41:00.0"
  std::int64_t sm_count = 0;             ///< 0: not told
  std::string cuda_runtime_version = {}; ///< "13.0"
  std::string cudnn_version = {};        ///< "9.13.0"
  std::string cuda_driver_version = {};  ///< newest CUDA that the driver takes: "13.0"
  // Set for the CPU if a GPU was looked for and not found; see CudaObstacle.
  std::string cuda_obstacle = {};
  bool cuda_driver_is_here = false;
  std::vector<DeviceKind> kinds = {}; ///< of several devices described as one, each once
};

/// The device that --device names among those that are there, or nullptr: "auto" (the first GPU,
/// else the CPU), "cpu" or "cpu:K" (a part of the same), "cuda" (the first GPU) or "cuda:N", N
/// counting the GPUs of the list.
[[nodiscard]] const DeviceInfo* find_device(const std::string& asked,
                                            const std::vector<DeviceInfo>& devices);

} // namespace sdbench
