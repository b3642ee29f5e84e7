#pragma once

#include <stdexcept>
#include <string>

namespace sdbench {

/// Who must act. Determines the exit code.
enum class Blame {
  kCommand,     ///< the command line or a config file is wrong: exit code 2
  kEnvironment, ///< a file, a device or the machine refuses: exit code 1
};

/// Every error of sdbench. The message is one line: "X must be A, but is B; do C".
/// Caught per cell (it becomes a record) and in main, nowhere else.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string& message, Blame blame = Blame::kEnvironment)
      : std::runtime_error(message), blame_(blame) {}

  [[nodiscard]] Blame blame() const { return blame_; }

private:
  Blame blame_;
};

/// The command itself is wrong (unknown option, model or value; a number out of range): exit
/// code 2.
class UsageError : public Error {
public:
  explicit UsageError(const std::string& message) : Error(message, Blame::kCommand) {}
};

} // namespace sdbench
