#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// A device's place among the devices that train one network together. Each device has its own
/// process.
struct DevicePlace {
  std::vector<std::string> devices; ///< names of all the devices
  std::int64_t number = 0;          ///< index of this device in `devices`, from 0
  std::filesystem::path meeting;    ///< folder where devices find each other (device_meeting.h)
  std::chrono::milliseconds patience{
      300'000}; ///< longest wait for another device that is still running
};

/// Data-parallel training by c10d, as in torch.nn.parallel.DistributedDataParallel: each device has
/// a replica of the network, and computes the gradients for its part of each batch. During the
/// backward pass, c10d::Reducer sums the gradients over the devices in buckets. GPUs exchange data
/// through NCCL, parts of the CPU through shared memory. Each device keeps its own batch norm
/// statistics. All devices must make the same calls in the same order. A device waits at most
/// DevicePlace::patience for another one.
class DataParallel {
public:
  /// Waits for the other devices, then copies the parameters' values from device 0. The
  /// parameters must be leaves that require gradients, all on one device. Throws Error if another
  /// device has ended or does not arrive in time.
  DataParallel(DevicePlace place, const std::vector<at::Tensor>& parameters);
  ~DataParallel();
  DataParallel(const DataParallel&) = delete;
  DataParallel& operator=(const DataParallel&) = delete;

  /// Must be called before each forward pass that is followed by backward().
  void prepare();

  /// Runs the backward pass from the scalar `loss`, which is this device's summand of the total
  /// loss. Each parameter then has the gradient of the total loss. Calls `computed` once, after
  /// this device has computed its own gradients and before it waits for the others. If another
  /// device has ended: on a CPU, throws Error within a fraction of a second; on a GPU, NCCL ends
  /// this process once it has waited for `patience`.
  void backward(const at::Tensor& loss, const std::function<void()>& computed);

  /// Sums `values` over all devices, in place. `values` must be contiguous, in fp32, fp16 or bf16.
  /// Fails as backward() does.
  void add_up(at::Tensor& values);

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace sdbench
