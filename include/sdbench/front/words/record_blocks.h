#pragma once

#include <span>
#include <string>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Records for the terminal, one block each, every figure with its unit. With `colour`, ANSI codes
/// mark the main figure and failures.
[[nodiscard]] std::string to_record_blocks(std::span<const RunRecord> records, bool colour);

} // namespace sdbench
