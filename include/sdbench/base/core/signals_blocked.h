#pragma once

#include <csignal>

namespace sdbench {

/// Blocks all signals in the calling thread and in those that it starts meanwhile: signals are for
/// the main thread, which a system call of it must be interrupted by.
class SignalsBlocked {
public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
  sigset_t before_{};
};

} // namespace sdbench
