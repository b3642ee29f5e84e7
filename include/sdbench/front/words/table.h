#pragma once

#include <span>
#include <string>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Records for the terminal, one block each, readable without a manual: every figure with its unit.
/// With `colour`, ANSI codes mark the main figure and what went wrong.
[[nodiscard]] std::string to_table(std::span<const RunRecord> records, bool colour);

} // namespace sdbench
