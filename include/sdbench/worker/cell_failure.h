#pragma once

#include <string>

#include "sdbench/core/error.h"
#include "sdbench/core/status.h"
#include "sdbench/executor/executor.h"

namespace sdbench {

/// Ends a cell with a status of its own: too little memory, an interruption, a wrong image.
class CellFailure : public Error {
public:
  CellFailure(Status status, const std::string& message) : Error(message), status_(status) {}
  [[nodiscard]] Status status() const { return status_; }

private:
  Status status_;
};

/// Status and one-line message of the exception that is being handled; call inside a catch block.
/// libtorch's out-of-memory errors become oom_device or oom_host; of its other messages the first
/// line is kept, without the stack trace.
[[nodiscard]] CellOutcome outcome_of_current_exception();

} // namespace sdbench
