#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace sdbench {

/// A barrier at which the devices of a parallel execution wait for each other before each timed
/// run. Unlike with std::barrier, a device can leave at any time, and setting `stop` opens the
/// barrier.
class StartBarrier {
public:
  /// `stop`, set from a signal handler, ends all waiting; may be null.
  StartBarrier(std::size_t devices, const std::atomic<bool>* stop)
      : present_(devices), stop_(stop) {}

  /// Returns once all devices that have not left are waiting here, or once `stop` is set.
  void wait();
  /// Removes a device whose cell has ended, so that the others no longer wait for it.
  void leave();

private:
  void open_locked();

  std::mutex mutex_;
  std::condition_variable opened_;
  std::size_t present_;
  std::size_t waiting_ = 0;
  std::size_t openings_ = 0;
  const std::atomic<bool>* stop_;
};

} // namespace sdbench
