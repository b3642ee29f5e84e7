#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "sdbench/base/core/signals_blocked.h"
#include "sdbench/base/device/cpu_cores.h"

namespace sdbench {

/// Values that one thread of its own makes, one ahead of who takes them: while one is used, the
/// next one is made, and none beyond it. Who waits sleeps.
template <class T>
class Prefetched {
public:
  /// `make` is called in that thread alone, until it throws or this object goes.
  explicit Prefetched(std::function<T()> make) : make_(std::move(make)) {
    const SignalsBlocked for_the_thread;
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

  /// The next value, in the order of the calls of `make`; what `make` threw when its turn has come,
  /// and ever after.
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

  /// Waits until the last value is taken; false: no more are.
  [[nodiscard]] bool is_wanted(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    return changed_.wait(lock, stop, [this] { return !made_; }) && !stop.stop_requested();
  }

  std::function<T()> make_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<T> made_;
  std::exception_ptr failure_;
  std::jthread thread_; ///< last: it stops and joins before the others go
};

} // namespace sdbench
