#include "sdbench/cli/interrupt.h"

#include <csignal>

namespace sdbench {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

std::atomic<bool> g_requested{false}; // a signal handler reaches nothing but globals
static_assert(std::atomic<bool>::is_always_lock_free);

void set_handler(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

void on_signal(int number) {
  if (g_requested.exchange(true)) {
    set_handler(number, SIG_DFL);
    ::raise(number);
  }
}

} // namespace

InterruptGuard::InterruptGuard() {
  g_requested = false;
  for (const int number : kSignals) {
    set_handler(number, on_signal);
  }
}

InterruptGuard::~InterruptGuard() {
  for (const int number : kSignals) {
    set_handler(number, SIG_DFL);
  }
}

const std::atomic<bool>& InterruptGuard::requested() const {
  return g_requested;
}

} // namespace sdbench
