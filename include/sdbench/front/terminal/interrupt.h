#pragma once

#include <atomic>

namespace sdbench {

/// While it lives, Ctrl-C (and SIGTERM, and SIGHUP of a terminal that is closed) only requests an
/// end, so that the row of what was measured so far is still written. A second signal, at least
/// half a second later, ends the process at once. Signals that were ignored before stay ignored.
/// Only one guard may live at a time.
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
