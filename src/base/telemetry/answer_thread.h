#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace sdbench {

/// A thread that asks in place of others, who wait for so long and no longer: a call into a driver
/// may never come back.
class AnswerThread {
public:
  /// Throws Error where the system gives no thread.
  AnswerThread();
  /// Waits for nothing that hangs: then the thread is left behind until the program's end.
  ~AnswerThread();
  AnswerThread(const AnswerThread&) = delete;
  AnswerThread& operator=(const AnswerThread&) = delete;

  /// True if `task` was done within `limit`. False at once while an earlier task is late. A task
  /// that is late goes on alone, so it must own whatever it touches. It must not throw.
  [[nodiscard]] bool run(std::function<void()> task, std::chrono::duration<double> limit);

private:
  struct Desk;
  static void serve(Desk& desk);

  std::shared_ptr<Desk> desk_;
  std::thread thread_;
};

} // namespace sdbench
