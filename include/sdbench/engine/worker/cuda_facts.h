#pragma once

#include <cstdint>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/engine/worker/cuda_obstacle.h"

namespace sdbench {

/// The CUDA devices of this machine. Empty in a build without CUDA or if CUDA finds no GPU. If the
/// list is empty, call no other function that asks CUDA, except why_no_cuda_device().
[[nodiscard]] std::vector<DeviceInfo> cuda_devices();
/// Why there is no CUDA device. Call it only if cuda_devices() is empty.
[[nodiscard]] CudaObstacle why_no_cuda_device();
/// Bytes of the device's memory that no process uses.
[[nodiscard]] std::int64_t cuda_memory_free_bytes(int index);
/// Bytes of the device's memory that libtorch's allocator in this process has reserved, whether
/// tensors use them or not.
[[nodiscard]] std::int64_t cuda_memory_held_bytes(int index);
/// Gives back to the devices the unused memory that libtorch's allocator caches.
void empty_cuda_cache();
/// Gives back to the system the unused pinned host memory that libtorch caches.
void empty_pinned_cache();
/// Watches how much memory of a device is used, from construction on.
class CudaMemoryWatch {
public:
  /// Resets the peak statistics of libtorch's allocator.
  explicit CudaMemoryWatch(int index);
  /// Fills in the allocator's peaks since construction, and the device memory that all processes
  /// use now. Adds the flag `allocating` if libtorch has asked the driver for memory since
  /// construction: each such request waits for the device, so the measured times may not be steady.
  void report(CellResult& result) const;

private:
  [[maybe_unused]] int index_;
  [[maybe_unused]] std::int64_t allocations_ = 0; ///< number of requests to the driver at the start
};
/// Returns the driver's version, such as "580.65.06", from the text of /proc/driver/nvidia/version.
/// Empty if the text has no version.
[[nodiscard]] std::string parse_nvidia_driver_version(const std::string& text);

} // namespace sdbench
