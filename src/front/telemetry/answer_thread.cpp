#include "answer_thread.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/system/signals_blocked.h"

namespace sdbench {

struct AnswerThread::Desk {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> task; ///< the next task
  std::uint64_t begun = 0;
  std::uint64_t done = 0;
  bool is_late = false; ///< nobody waits for the current task any more
  bool is_closing = false;
};

AnswerThread::AnswerThread() : desk_(std::make_shared<Desk>()) {
  const SignalsBlocked for_the_thread; // the new thread inherits the mask
  try {
    thread_ = std::thread([desk = desk_] { serve(*desk); });
  } catch (const std::system_error& error) {
    throw Error(std::string("the system must give a thread, but does not: ") + error.what());
  }
}

AnswerThread::~AnswerThread() {
  bool hangs = false;
  {
    const std::lock_guard lock(desk_->mutex);
    desk_->is_closing = true;
    hangs = desk_->is_late;
  }
  desk_->changed.notify_all();
  if (hangs) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

bool AnswerThread::run(std::function<void()> task, std::chrono::duration<double> limit) {
  using Clock = std::chrono::steady_clock;
  Desk& desk = *desk_;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  std::unique_lock lock(desk.mutex);
  const auto is_free = [&desk] { return desk.begun == desk.done; };
  if (desk.is_late || !desk.changed.wait_until(lock, end, is_free)) {
    return false;
  }
  const std::uint64_t ours = ++desk.begun;
  desk.task = std::move(task);
  desk.changed.notify_all();
  if (desk.changed.wait_until(lock, end, [&] { return desk.done >= ours; })) {
    return true;
  }
  desk.is_late = true;
  return false;
}

void AnswerThread::serve(Desk& desk) {
  std::unique_lock lock(desk.mutex);
  for (;;) {
    desk.changed.wait(lock, [&desk] { return desk.is_closing || desk.begun > desk.done; });
    if (desk.begun == desk.done) {
      return;
    }
    auto task = std::exchange(desk.task, nullptr);
    lock.unlock();
    task();
    task = nullptr; // frees what it owns here: unloading a library may hang, too
    lock.lock();
    ++desk.done;
    desk.is_late = false;
    desk.changed.notify_all();
  }
}

} // namespace sdbench
