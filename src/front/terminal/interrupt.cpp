#include "sdbench/front/terminal/interrupt.h"

#include <signal.h>

#include <csignal>
#include <cstdint>

namespace sdbench {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kExitOfSignal = 128; ///< plus the signal's number
/// Signals within this time of the first one count as one request: `timeout` signals a program and
/// then its process group, and a closing terminal and its shell both send one.
constexpr std::int64_t kOneWishNanoseconds = 500'000'000;

// Globals, because a signal handler can reach nothing else.
std::atomic<bool> g_requested{false};
std::atomic<int> g_signal{0};
std::atomic<std::int64_t> g_first_nanoseconds{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);

/// The time of a clock that a signal handler may read.
std::int64_t nanoseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void set_handler(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

void on_signal(int number) {
  int none = 0;
  g_signal.compare_exchange_strong(none, number);
  std::int64_t first = 0;
  const std::int64_t now = nanoseconds_now();
  const bool is_first = g_first_nanoseconds.compare_exchange_strong(first, now);
  g_requested = true;
  if (!is_first && now - first > kOneWishNanoseconds) {
    set_handler(number, SIG_DFL);
    ::raise(number);
  }
}

/// A signal that was ignored at the start stays ignored: the terminal may close (nohup), and Ctrl-C
/// may be for a different program (a script's background job).
bool is_to_be_ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

InterruptGuard::InterruptGuard() {
  g_requested = false;
  g_signal = 0;
  g_first_nanoseconds = 0;
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
