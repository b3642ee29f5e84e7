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

/// A device's place among those that train one network, a process each.
struct DevicePlace {
  std::vector<std::string> devices;            ///< all of them, by name
  std::int64_t number = 0;                     ///< this one's, from 0
  std::filesystem::path meeting;               ///< device_meeting.h
  std::chrono::milliseconds patience{300'000}; ///< with another device that has not ended
};

/// Data-parallel training by c10d, as torch.nn.parallel.DistributedDataParallel has it: each device
/// has a replica of the network and computes the gradients of its part of a batch. c10d::Reducer
/// adds them up over the devices, in buckets, while the backward pass goes on: by NCCL between
/// GPUs, and through memory that they share between parts of the CPU. Batch norm has each device's
/// own statistics. All devices must make the same calls in the same order. A device waits for
/// another as long as its patience lasts.
class DataParallel {
public:
  /// Waits for the other devices, and takes the first one's values of the parameters, which must be
  /// leaves with gradients on one device. Throws Error if another has ended, or does not come in
  /// time.
  DataParallel(DevicePlace place, const std::vector<at::Tensor>& parameters);
  ~DataParallel();
  DataParallel(const DataParallel&) = delete;
  DataParallel& operator=(const DataParallel&) = delete;

  /// Before each forward pass that backward() follows.
  void prepare();

  /// The backward pass from `loss`, one number: this device's summand of the loss of all. Leaves in
  /// each parameter the gradient of the whole loss. `computed` is called once, when this device has
  /// computed its own gradients, and before it waits for those of the others. Throws Error if
  /// another device has ended: on a CPU within a fraction of a second; NCCL ends the process when
  /// the time is over.
  void backward(const at::Tensor& loss, const std::function<void()>& computed);

  /// Adds up, in place, what all devices have: fp32, fp16 or bf16, contiguous. Throws as
  /// backward().
  void add_up(at::Tensor& values);

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace sdbench
