#pragma once

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/types/task.h"

namespace sdbench {

/// Status and one-line message of the exception that is being handled; call inside a catch block.
/// libtorch's out-of-memory errors become oom_device or oom_host, with what takes less memory in
/// `task`; of its other messages the first line is kept, without the stack trace.
[[nodiscard]] CellOutcome outcome_of_current_exception(Task task);

} // namespace sdbench
