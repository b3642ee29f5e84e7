#pragma once

#include <atomic>

namespace sdbench {

/// While it lives, Ctrl-C (and SIGTERM, and SIGHUP of a terminal that is closed) asks for an end
/// instead of ending the process: the row of what was measured so far is still written. A second
/// one, half a second later or more, ends it at once. What was ignored before stays ignored. One at
/// a time.
class InterruptGuard {
public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Becomes true with the first signal.
  [[nodiscard]] const std::atomic<bool>& requested() const;
  /// The code by which shells report the signal: 130 for Ctrl-C, 143 for SIGTERM. 0 without one.
  [[nodiscard]] int exit_code() const;
};

} // namespace sdbench
