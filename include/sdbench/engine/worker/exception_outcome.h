#pragma once

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {

/// Status and one-line message of the current exception; call it inside a catch block. libtorch's
/// out-of-memory errors become oom_device or oom_host, with advice on which options of `task`
/// reduce memory use. libtorch's other messages are reduced to their first line, without the stack
/// trace.
[[nodiscard]] CellOutcome outcome_of_current_exception(Task task);

} // namespace sdbench
