#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "sdbench/base/core/error.h"

namespace sdbench {

/// How a program of others ended, and what it wrote.
struct ProgramOutput {
  int code = 0; ///< its exit code; 128 and the signal's number where a signal ended it
  std::string out;
  std::string err;
};

/// The program was not done in time: what it has done by then, nobody knows.
class ProgramTooSlow : public Error {
  using Error::Error;
};

/// Runs a program of PATH, without input, to its end, which no Ctrl-C hastens. Nothing: there is
/// none of that name. Throws Error where it cannot be started, and ProgramTooSlow where it is not
/// done within `timeout_s`.
[[nodiscard]] std::optional<ProgramOutput> program_output(std::vector<std::string> command,
                                                          double timeout_s);

/// Waits for a child that was started; its exit code, as shells say it: of one that a signal ended
/// 128 plus the signal's number.
[[nodiscard]] int wait_for_exit_code(pid_t child);

} // namespace sdbench
