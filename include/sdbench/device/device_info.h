#pragma once

#include <cstdint>
#include <string>

namespace sdbench {

/// The device a cell ran on, as the worker sees it.
struct DeviceInfo {
  std::string kind; ///< "cpu" or "cuda"
  std::string name; ///< "NVIDIA H200", "AMD EPYC 9R14"
  std::string
      arch; ///< architecture generation ("Hopper"), or the CPU's widest vector set ("avx512_bf16")
  std::string compute_capability; ///< "9.0"; empty on a CPU
  std::string driver_version;     ///< empty on a CPU, or where it cannot be read
  int index = 0;                  ///< among the devices the worker sees
  std::int64_t memory_total_bytes = 0;
  std::int64_t memory_free_bytes = 0; ///< before the model is loaded
};

} // namespace sdbench
