#include "sdbench/front/bench/start_barrier.h"

#include <chrono>

namespace sdbench {

void StartBarrier::wait() {
  constexpr auto kLook = std::chrono::milliseconds(50); // longest delay until the stop flag is seen
  std::unique_lock lock(mutex_);
  const std::size_t before = openings_;
  if (++waiting_ >= present_) {
    open_locked();
    return;
  }
  while (openings_ == before) {
    opened_.wait_for(lock, kLook);
    if (stop_ != nullptr && stop_->load() && openings_ == before) {
      --waiting_;
      return;
    }
  }
}

void StartBarrier::leave() {
  const std::lock_guard lock(mutex_);
  --present_;
  if (waiting_ > 0 && waiting_ >= present_) {
    open_locked();
  }
}

void StartBarrier::open_locked() {
  waiting_ = 0;
  ++openings_;
  opened_.notify_all();
}

} // namespace sdbench
