#include "sdbench/front/bench/executor_thread.h"

#include <future>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/system/signals_blocked.h"

namespace sdbench {

ExecutorThread::ExecutorThread(Maker make) : make_(std::move(make)) {
  const SignalsBlocked for_the_thread; // which inherits the mask
  thread_ = std::thread([this] { serve(); });
}

ExecutorThread::~ExecutorThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ExecutorThread::serve() {
  for (std::unique_lock lock(mutex_);;) {
    wake_.wait(lock, [this] { return ending_ || task_; });
    if (!task_) {
      break;
    }
    const std::function<void()> task = std::exchange(task_, nullptr);
    lock.unlock();
    task();
    lock.lock();
  }
  executor_.reset(); // its worker ends before the thread that started it
}

void ExecutorThread::call(const std::function<void(Executor&)>& task) {
  // Shared, because the thread may still use it when the caller has returned.
  const auto packaged = std::make_shared<std::packaged_task<void()>>([this, &task] {
    if (!executor_) {
      executor_ = make_();
    }
    task(*executor_);
  });
  std::future<void> done = packaged->get_future();
  {
    const std::lock_guard lock(mutex_);
    task_ = [packaged] { (*packaged)(); };
  }
  wake_.notify_all();
  done.get();
}

CellOutcome ExecutorThread::run(const Cell& cell, ExecutorObserver& observer) {
  CellOutcome outcome;
  call([&](Executor& executor) { outcome = executor.run(cell, observer); });
  return outcome;
}

std::vector<DeviceInfo> ExecutorThread::devices() {
  std::vector<DeviceInfo> devices;
  call([&](Executor& executor) { devices = executor.devices(); });
  return devices;
}

std::optional<double> ExecutorThread::estimate(const Cell& cell) {
  std::optional<double> seconds;
  call([&](Executor& executor) { seconds = executor.estimate(cell); });
  return seconds;
}

CellOutcome ExecutorThread::probe(const ProbePlace& place, ExecutorObserver& observer) {
  CellOutcome outcome;
  call([&](Executor& executor) { outcome = executor.probe(place, observer); });
  return outcome;
}

void ExecutorThread::restart() {
  call([](Executor& executor) { executor.restart(); });
}

Executor& ExecutorTeam::of(const std::string& device) {
  auto member = members_.find(device);
  if (member == members_.end()) { // made before it is added, because its thread may fail to start
    auto made = std::make_unique<ExecutorThread>(make_);
    member = members_.emplace(device, std::move(made)).first;
  }
  return *member->second;
}

void ExecutorTeam::restart() {
  for (const auto& [device, member] : members_) {
    member->restart();
  }
}

} // namespace sdbench
