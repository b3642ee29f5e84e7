#pragma once

#include <csignal>

namespace sdbench {

/// As long as this object lives, blocks all signals in the calling thread, and in threads that it
/// starts during that time. The kernel then delivers signals to the main thread, where they must
/// interrupt system calls.
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
