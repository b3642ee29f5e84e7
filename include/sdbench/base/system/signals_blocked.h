#pragma once

#include <csignal>

namespace sdbench {

/// Blocks all signals in the calling thread and in threads that it starts meanwhile. The main
/// thread must receive signals, so that they interrupt its system calls.
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
