#pragma once

#include <string>

#include "sdbench/base/types/task.h"

namespace sdbench {

/// Advice which of the task's options reduce memory use: "use a smaller model or --batch, or
/// --dtype bf16 or fp16".
[[nodiscard]] std::string memory_advice(Task task);

} // namespace sdbench
