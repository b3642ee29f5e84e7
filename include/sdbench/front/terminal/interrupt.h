#pragma once

#include <atomic>

namespace sdbench {

/// While an object of this class exists, the first signal only asks the program to end, so that
/// what has been measured is still written as a row. The signals are SIGINT (Ctrl-C), SIGTERM and
/// SIGHUP (closed terminal). A second signal, at least half a second later, ends the process at
/// once. Signals that were ignored before stay ignored. Only one guard may exist at a time.
class InterruptGuard {
public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// An atomic flag that the first signal sets to true.
  [[nodiscard]] const std::atomic<bool>& requested() const;
  /// The exit code with which shells report the signal: 130 for Ctrl-C, 143 for SIGTERM. 0 if there
  /// was no signal.
  [[nodiscard]] int exit_code() const;
};

} // namespace sdbench
