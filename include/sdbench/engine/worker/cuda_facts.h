#pragma once

#include <cstdint>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/engine/worker/cuda_obstacle.h"

namespace sdbench {

/// The CUDA devices. Empty in a build without CUDA or on a machine without a GPU; then only
/// why_no_cuda_device() may be called.
[[nodiscard]] std::vector<DeviceInfo> cuda_devices();
/// Reason why there are no devices. Call it only if cuda_devices() is empty.
[[nodiscard]] CudaObstacle why_no_cuda_device();
/// Free bytes on the device, counting all processes.
[[nodiscard]] std::int64_t cuda_memory_free_bytes(int index);
/// Bytes that this process's allocator has taken on the device, whether they are in use or not.
[[nodiscard]] std::int64_t cuda_memory_held_bytes(int index);
/// Gives the memory that libtorch's allocator keeps for later back to the devices.
void empty_cuda_cache();
/// Gives the pinned host memory that libtorch keeps for later copies back to the system.
void empty_pinned_cache();
/// Watches a device's memory from construction on.
class CudaMemoryWatch {
public:
  /// Makes libtorch's allocator forget its peaks.
  explicit CudaMemoryWatch(int index);
  /// Fills in the peaks since construction, the device's used memory of all processes, and the flag
  /// `allocating` if the driver was asked for memory: each such call waits for the device.
  void report(CellResult& result) const;

private:
  [[maybe_unused]] int index_;
  [[maybe_unused]] std::int64_t allocations_ = 0; ///< allocations of device memory before
};
/// The driver's version in the text of /proc/driver/nvidia/version: "580.65.06". Empty if it has
/// none.
[[nodiscard]] std::string parse_nvidia_driver_version(const std::string& text);

} // namespace sdbench
