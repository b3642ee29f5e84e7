#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/system/signals_blocked.h"

namespace sdbench {

/// Values that a separate thread makes, one ahead of the consumer: while the consumer uses one
/// value, the thread makes only the next. Both threads sleep while they wait.
template <class T>
class Prefetched {
public:
  /// `make` is called only in the separate thread, again and again until it throws or this object
  /// is destroyed.
  explicit Prefetched(std::function<T()> make) : make_(std::move(make)) {
    const SignalsBlocked for_the_thread;
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

  /// The next value, in the order of the calls of `make`. If `make` has thrown, the values made
  /// before are still returned; then each call rethrows the exception.
  [[nodiscard]] T next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return made_.has_value() || failure_ != nullptr; });
    if (!made_) {
      std::rethrow_exception(failure_);
    }
    T taken = std::move(*made_);
    made_.reset();
    changed_.notify_one();
    return taken;
  }

private:
  void run(const std::stop_token& stop) {
    run_on(cores_at_start()); // not on the one core that a computing thread may be bound to
    try {
      while (is_wanted(stop)) {
        T made = make_();
        const std::lock_guard lock(mutex_);
        made_.emplace(std::move(made));
        changed_.notify_one();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_one();
    }
  }

  /// Waits until the consumer has taken the latest value. Returns false on a request to stop.
  [[nodiscard]] bool is_wanted(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    return changed_.wait(lock, stop, [this] { return !made_; }) && !stop.stop_requested();
  }

  std::function<T()> make_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<T> made_;
  std::exception_ptr failure_;
  std::jthread thread_; ///< last member: stops and joins before the others are destroyed
};

} // namespace sdbench
