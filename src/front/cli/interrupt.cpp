#include "interrupt.h"

#include <signal.h>

#include <csignal>

namespace sdbench {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kExitOfSignal = 128; ///< plus its number

// A signal handler reaches nothing but globals.
std::atomic<bool> g_requested{false};
std::atomic<int> g_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void set_handler(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

void on_signal(int number) {
  int none = 0;
  g_signal.compare_exchange_strong(none, number);
  if (g_requested.exchange(true)) {
    set_handler(number, SIG_DFL);
    ::raise(number);
  }
}

/// What was ignored at the start stays so: the terminal may go (nohup), Ctrl-C is for another
/// program (a script's background job).
bool is_to_be_ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

InterruptGuard::InterruptGuard() {
  g_requested = false;
  g_signal = 0;
  for (const int number : kSignals) {
    if (!is_to_be_ignored(number)) {
      set_handler(number, on_signal);
    }
  }
}

InterruptGuard::~InterruptGuard() {
  for (const int number : kSignals) {
    if (!is_to_be_ignored(number)) {
      set_handler(number, SIG_DFL);
    }
  }
}

const std::atomic<bool>& InterruptGuard::requested() const {
  return g_requested;
}

int InterruptGuard::exit_code() const {
  return g_signal == 0 ? 0 : kExitOfSignal + g_signal;
}

} // namespace sdbench
