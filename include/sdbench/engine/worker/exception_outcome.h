#pragma once

#include <cstdint>
#include <optional>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {

/// Status and one-line message of the current exception; call it inside a catch block. libtorch's
/// out-of-memory errors become oom_device or oom_host, with advice on which options of `task`
/// reduce memory use. libtorch's other messages are reduced to their first line, without the stack
/// trace. `free_gpu_bytes`: the GPU's free memory, if known (see is_device_out_of_memory()).
[[nodiscard]] CellOutcome
outcome_of_current_exception(Task task, std::optional<std::int64_t> free_gpu_bytes = std::nullopt);

} // namespace sdbench
