#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace sdbench {

/// A thread that makes calls for other threads, which wait for a limited time only: a call into a
/// driver may never return.
class AnswerThread {
public:
  /// Throws Error if the system cannot start a thread.
  AnswerThread();
  /// Does not wait for a task that hangs: the thread then stays until the program ends.
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
