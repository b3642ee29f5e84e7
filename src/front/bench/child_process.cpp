#include "child_process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/bench/openmp_environment.h"
#include "sdbench/front/machine/program_output.h"

namespace sdbench {
namespace {

constexpr int kRequestDescriptor = 3;
constexpr int kEventDescriptor = 4;
/// Pipes get numbers from this on, so that they do not collide with the child's own descriptors.
constexpr int kFirstFreeDescriptor = 10;

/// Closes the descriptor and returns it under a free number; negative if no number is free.
Descriptor moved_up(int descriptor) {
  const Descriptor low(descriptor);
  return Descriptor(::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
}

/// Both ends of a pipe, closed on exec.
struct Pipe {
  Descriptor read_end{-1};
  Descriptor write_end{-1};

  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    read_end = moved_up(ends[0]);
    write_end = moved_up(ends[1]);
    if (!read_end.ok() || !write_end.ok()) {
      throw Error("cannot make a pipe: too many open files");
    }
  }
};

void set_non_blocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/// Our environment, with the program's libraries first in LD_LIBRARY_PATH, the GPUs of the seat
/// and, for our own worker, how OpenMP's threads wait.
std::vector<std::string> child_environment(const WorkerProgram& program, const WorkerSeat& seat) {
  const std::string& library_path = program.library_path;
  constexpr std::string_view kLibraries = "LD_LIBRARY_PATH=";
  constexpr std::string_view kGpus = "CUDA_VISIBLE_DEVICES=";
  std::vector<std::string> environment;
  std::string inherited;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!library_path.empty() && text.starts_with(kLibraries)) {
      inherited = text.substr(kLibraries.size());
    } else if (!seat.cuda_visible_devices || !text.starts_with(kGpus)) {
      environment.emplace_back(text);
    }
  }
  if (!library_path.empty()) {
    environment.push_back(std::string(kLibraries) + library_path +
                          (inherited.empty() ? "" : ":" + inherited));
  }
  if (program.is_ours) {
    if (const auto wait = openmp_wait_setting()) {
      environment.push_back(*wait);
    }
  }
  if (seat.cuda_visible_devices) {
    environment.push_back(std::string(kGpus) + *seat.cuda_visible_devices);
  }
  return environment;
}

/// What the child does between fork and exec: only async-signal-safe calls. Does not return.
[[noreturn]] void become_program(const char* program, char* const* arguments,
                                 char* const* environment, const std::vector<unsigned long>& cores,
                                 const Pipe& requests, const Pipe& events, const Pipe& errors,
                                 int failure, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) { // the parent ended before the line above
    ::_exit(1);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP}) {
    ::signal(signal, SIG_DFL);
  }
  // If the machine runs out of memory, the kernel must kill the worker, not this process with the
  // rows.
  constexpr std::string_view kGoFirst = "500";
  const int score = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  static_cast<void>(!::write(score, kGoFirst.data(), kGoFirst.size()));
  const bool has_cores =
      cores.empty() ||
      ::syscall(SYS_sched_setaffinity, 0, cores.size() * sizeof cores[0], cores.data()) == 0;
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (has_cores && ::dup2(nothing, STDIN_FILENO) >= 0 &&
      ::dup2(errors.write_end.get(), STDOUT_FILENO) >= 0 &&
      ::dup2(errors.write_end.get(), STDERR_FILENO) >= 0 &&
      ::dup2(requests.read_end.get(), kRequestDescriptor) >= 0 &&
      ::dup2(events.write_end.get(), kEventDescriptor) >= 0) {
    ::execve(program, arguments, environment);
  }
  const int reason = errno;
  static_cast<void>(!::write(failure, &reason, sizeof reason));
  ::_exit(127);
}

} // namespace

ChildProcess::ChildProcess(const WorkerProgram& program, const WorkerSeat& seat) {
  Pipe requests;
  Pipe events;
  Pipe errors;
  Pipe failure; // carries errno if exec fails; closed by exec if it does not
  std::vector<std::string> words = program.arguments;
  words.insert(words.begin(), program.path.string());
  std::vector<std::string> environment = child_environment(program, seat);
  const std::vector<unsigned long> cores = core_mask(seat.cores);
  const std::vector<char*> environment_pointers = exec_pointers(environment);
  const std::vector<char*> arguments = exec_pointers(words);

  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) {
    throw Error(std::string("cannot start a process: ") + std::strerror(errno));
  }
  if (pid_ == 0) {
    become_program(words.front().c_str(), arguments.data(), environment_pointers.data(), cores,
                   requests, events, errors, failure.write_end.get(), parent);
  }
  ::setpgid(pid_, pid_); // both sides do it, so that neither has to wait for the other
  failure.write_end = Descriptor(-1);
  int reason = 0;
  ssize_t count = 0;
  do {
    count = ::read(failure.read_end.get(), &reason, sizeof reason);
  } while (count < 0 && errno == EINTR);
  if (count == sizeof reason) {
    static_cast<void>(wait(1));
    throw Error("cannot start " + words.front() + ": " + std::strerror(reason));
  }
  requests_ = std::move(requests.write_end);
  events_ = std::move(events.read_end);
  errors_ = std::move(errors.read_end);
  for (const Descriptor* descriptor : {&requests_, &events_, &errors_}) {
    set_non_blocking(descriptor->get());
  }
}

ChildProcess::~ChildProcess() {
  requests_ = Descriptor(-1);
  if (!status_) {
    send_signal(SIGKILL);
    static_cast<void>(wait(10)); // SIGKILL ends all but a process that hangs inside the kernel
  }
}

void ChildProcess::send_signal(int signal) const {
  if (!status_) {
    ::kill(-pid_, signal);
  }
}

std::optional<int> ChildProcess::wait(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  while (!status_) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      status_ = status;
    } else if (Clock::now() >= deadline) {
      break;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return status_;
}

} // namespace sdbench
