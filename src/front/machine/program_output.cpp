#include "sdbench/front/machine/program_output.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sdbench/base/files/descriptor.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

using Clock = std::chrono::steady_clock;

/// A pipe that collects the program's output.
struct OutputPipe {
  Descriptor read_end{-1};
  Descriptor write_end{-1};
  std::string text = {};

  OutputPipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
  }

  /// Reads what is available; closes the pipe at the end of the output.
  void take() {
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(read_end.get(), bytes.data(), bytes.size());
    if (count > 0) {
      text.append(bytes.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      read_end = Descriptor(-1);
    }
  }
};

struct SpawnActions {
  posix_spawn_file_actions_t actions{};
  SpawnActions() { ::posix_spawn_file_actions_init(&actions); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
};

/// Gives the program its own process group: Ctrl-C then reaches only us, and we can still read what
/// the program has done.
struct SpawnAttributes {
  posix_spawnattr_t attributes{};
  SpawnAttributes() {
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
};

/// Returns false if the output has not ended by `end`.
bool take_all(std::array<OutputPipe, 2>& pipes, Clock::time_point end) {
  while (pipes[0].read_end.ok() || pipes[1].read_end.ok()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) {
      return false;
    }
    std::array<pollfd, 2> waiting{}; // poll ignores negative descriptors
    for (std::size_t i = 0; i < pipes.size(); ++i) {
      waiting[i] = {pipes[i].read_end.get(), POLLIN, 0};
    }
    ::poll(waiting.data(), waiting.size(), static_cast<int>(std::min<long>(left.count(), 1000)));
    for (std::size_t i = 0; i < pipes.size(); ++i) {
      if (waiting[i].revents != 0) {
        pipes[i].take();
      }
    }
  }
  return true;
}

} // namespace

int wait_for_exit_code(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int kBySignal = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kBySignal + WTERMSIG(status);
}

std::optional<ProgramOutput> program_output(std::vector<std::string> command, double timeout_s) {
  const std::string name = command.front();
  std::array<OutputPipe, 2> pipes;
  SpawnActions files;
  ::posix_spawn_file_actions_addopen(&files.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files.actions, pipes[0].write_end.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files.actions, pipes[1].write_end.get(), STDERR_FILENO);
  const SpawnAttributes group;
  const std::vector<char*> arguments = exec_pointers(command);
  pid_t child = -1;
  const int failure = ::posix_spawnp(&child, arguments.front(), &files.actions, &group.attributes,
                                     arguments.data(), environ);
  if (failure == ENOENT) {
    return std::nullopt;
  }
  if (failure != 0) {
    throw Error(name + " must be a program, but cannot be started: " + std::strerror(failure));
  }
  for (OutputPipe& pipe : pipes) {
    pipe.write_end = Descriptor(-1);
  }
  const auto patience =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_s));
  const bool is_done = take_all(pipes, Clock::now() + patience);
  if (!is_done) {
    ::kill(child, SIGKILL);
  }
  const int code = wait_for_exit_code(child);
  if (!is_done) {
    throw ProgramTooSlow(name + " must be done within " + significant_text(timeout_s) +
                         " s, but is not");
  }
  return ProgramOutput{code, std::move(pipes[0].text), std::move(pipes[1].text)};
}

std::vector<char*> exec_pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers = mapped(texts, [](std::string& text) { return text.data(); });
  pointers.push_back(nullptr);
  return pointers;
}

} // namespace sdbench
