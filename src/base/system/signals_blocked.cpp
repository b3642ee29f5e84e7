#include "sdbench/base/system/signals_blocked.h"

#include <bits/types/sigset_t.h>
#include <signal.h>

namespace sdbench {

SignalsBlocked::SignalsBlocked() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before_);
}

SignalsBlocked::~SignalsBlocked() {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

} // namespace sdbench
