#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "sdbench/base/errors/error.h"

namespace sdbench {

/// Exit code and output of another program.
struct ProgramOutput {
  int code = 0; ///< its exit code; 128 plus the signal's number if a signal ended it
  std::string out;
  std::string err;
};

/// Thrown if a program did not end in time and was killed. How much the program did is unknown.
class ProgramTooSlow : public Error {
  using Error::Error;
};

/// Runs a program from PATH without input, and waits for its end. Ctrl-C does not reach the
/// program. Returns nullopt if there is no such program. Throws Error if the program cannot be
/// started, and ProgramTooSlow if it does not end within `timeout_s`.
[[nodiscard]] std::optional<ProgramOutput> program_output(std::vector<std::string> command,
                                                          double timeout_s);

/// Waits for a child process and returns its exit code as shells do: 128 plus the signal's number
/// if a signal ended it.
[[nodiscard]] int wait_for_exit_code(pid_t child);

/// Pointers to `texts`, then a null pointer: the form of execve()'s arguments and environment.
[[nodiscard]] std::vector<char*> exec_pointers(std::vector<std::string>& texts);

} // namespace sdbench
