#pragma once

#include <span>
#include <string>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Formats records for the terminal: one block of lines each, with a unit after every figure. If
/// `colour` is true, ANSI codes mark the main figure and failures.
[[nodiscard]] std::string to_record_blocks(std::span<const RunRecord> records, bool colour);

} // namespace sdbench
