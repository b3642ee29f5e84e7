#pragma once

#include <atomic>

namespace sdbench {

/// While it lives, Ctrl-C (and SIGTERM) asks for an end instead of ending the process: the row of
/// what was measured so far is still written. A second one ends it at once. One at a time.
class InterruptGuard {
public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Becomes true with the first signal.
  [[nodiscard]] const std::atomic<bool>& requested() const;
};

} // namespace sdbench
