#pragma once

#include <stdexcept>
#include <string>

namespace sdbench {

/// What must be corrected: the command or its environment. Determines the exit code.
enum class Blame {
  kCommand,     ///< exit code 2: the command line or a config file is wrong
  kEnvironment, ///< exit code 1: a file, a device or the machine prevents the work
};

/// Base class of all errors of sdbench. The message is one line: "X must be A, but is B; do C".
/// A cell's record has the message if the error ends the cell; main() prints the message if it ends
/// the program. Other code catches errors where it can do without what failed.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string& message, Blame blame = Blame::kEnvironment)
      : std::runtime_error(message), blame_(blame) {}

  [[nodiscard]] Blame blame() const { return blame_; }

private:
  Blame blame_;
};

/// The command is wrong (unknown option, model or value; a number out of range): exit code 2.
class UsageError : public Error {
public:
  explicit UsageError(const std::string& message) : Error(message, Blame::kCommand) {}
};

} // namespace sdbench
