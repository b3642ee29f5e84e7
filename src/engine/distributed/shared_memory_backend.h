#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "sdbench/engine/distributed/data_parallel.h"
#include "shared_memory.h"

namespace sdbench {

/// Implements the c10d operations that c10d::Reducer needs, for devices that are parts of one CPU
/// and for contiguous tensors. The processes exchange data through shared memory. A separate thread
/// does one operation after the other with plain loops, because a second team of threads would
/// compete with the computing one. Sums are made in the order of the devices, so that all devices
/// get the same bits. After one operation has failed, all later ones fail.
class SharedMemoryBackend final : public c10d::Backend {
public:
  [[nodiscard]] static std::size_t bytes_for(std::size_t devices);

  /// `memory` has bytes_for(devices) bytes, all zero before the first device uses it.
  SharedMemoryBackend(SharedMemory memory, DevicePlace place);
  ~SharedMemoryBackend() override;
  SharedMemoryBackend(const SharedMemoryBackend&) = delete;
  SharedMemoryBackend& operator=(const SharedMemoryBackend&) = delete;

  const std::string getBackendName() const override { return "sdbench-shared-memory"; }

  /// Sums tensors of fp32, fp16 or bf16.
  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                           const c10d::AllreduceOptions& options) override;
  /// Broadcasts tensors of any type.
  c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors,
                                           const c10d::BroadcastOptions& options) override;

private:
  class Pending; ///< one operation, until it is done
  /// Each device has two slots for pieces of a tensor, so that it can begin the next piece while
  /// others still read the last one.
  static constexpr std::size_t kSides = 2;
  /// State that a device shows to the others.
  struct alignas(64) Board {
    std::atomic<std::uint32_t> turn;         ///< pieces written so far; other devices wait for it
    std::array<std::uint64_t, kSides> piece; ///< kind and size of each piece; equal on all devices
  };
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free); // processes share it

  c10::intrusive_ptr<c10d::Work> enqueue(c10::intrusive_ptr<Pending> operation);
  void serve();
  void run(const Pending& operation);
  void add_up(const at::Tensor& tensor);
  void copy_from(std::size_t root, const at::Tensor& tensor);
  void meet(std::uint64_t piece);
  void wait_for(std::size_t device);
  [[nodiscard]] Board& board(std::size_t device) const;
  [[nodiscard]] std::byte* slot(std::size_t device) const;

  SharedMemory memory_;
  DevicePlace place_;
  std::uint32_t turn_ = 0;
  std::atomic<bool> ending_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<c10::intrusive_ptr<Pending>> waiting_;
  std::thread thread_;
};

} // namespace sdbench
