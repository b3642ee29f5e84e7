#pragma once

#include <string>

#include "sdbench/base/core/task.h"

namespace sdbench {

/// What takes less memory, of the options that the task has: "use a smaller model or --batch, or
/// --dtype bf16 or fp16".
[[nodiscard]] std::string memory_advice(Task task);

} // namespace sdbench
