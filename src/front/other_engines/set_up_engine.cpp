#include "sdbench/front/other_engines/set_up_engine.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <spawn.h>
#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/front/machine/program_output.h"
#include "sdbench/front/other_engines/engine_environment.h"

namespace sdbench {

int run_set_up(std::vector<std::string> command) {
  // The set-up ends with us, even if a signal reaches only us. It gets our id, because its parent
  // may be a script called python3.
  command.insert(command.end(), {"--until", std::to_string(::getpid())});
  const std::vector<char*> arguments = exec_pointers(command);
  pid_t child = -1;
  const int failure =
      ::posix_spawnp(&child, arguments.front(), nullptr, nullptr, arguments.data(), environ);
  if (failure != 0) {
    throw Error(failure == ENOENT ? "python3 must be in PATH for a set-up, but is not; install it"
                                  : "python3 must run for a set-up, but cannot be started: " +
                                        std::string(std::strerror(failure)));
  }
  const int code = wait_for_exit_code(child); // Ctrl-C reaches both
  if (code == 128 + SIGKILL) {                // it could not report this itself
    throw Error("the set-up must run to its end, but was killed, as the system does when memory is "
                "short; free some memory, and run it again");
  }
  return code;
}

int set_up_engine(const EngineRow& row, const WorkerProgram& libtorch,
                  const std::filesystem::path& wheels) {
  return run_set_up(
      set_up_command(row, environment_of(row, libtorch.libtorch_version), libtorch, wheels));
}

} // namespace sdbench
