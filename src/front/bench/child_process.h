#pragma once

#include <optional>

#include <sys/types.h>

#include "sdbench/base/files/descriptor.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/bench/worker_seat.h"

namespace sdbench {

/// A child process in a process group of its own, joined by three pipes: requests (its descriptor
/// 3), events (its descriptor 4) and errors (its stdout and stderr). It is killed with this object,
/// and by the kernel when the thread that started it ends.
class ChildProcess {
public:
  /// Puts the program's library_path, unless empty, before LD_LIBRARY_PATH. From its first
  /// instruction on, the child has only the GPUs and cores of `seat`. Throws Error if the program
  /// cannot be started.
  ChildProcess(const WorkerProgram& program, const WorkerSeat& seat);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// The process id.
  [[nodiscard]] pid_t process() const { return pid_; }
  /// Our ends of the pipes, non-blocking.
  [[nodiscard]] int requests() const { return requests_.get(); }
  [[nodiscard]] int events() const { return events_.get(); }
  [[nodiscard]] int errors() const { return errors_.get(); }

  /// Sends a signal to the child's process group.
  void send_signal(int signal) const;
  /// waitpid's status once the child has ended, or nothing if it has not within `seconds`.
  [[nodiscard]] std::optional<int> wait(double seconds);

private:
  pid_t pid_ = -1;
  std::optional<int> status_;
  Descriptor requests_{-1};
  Descriptor events_{-1};
  Descriptor errors_{-1};
};

} // namespace sdbench
