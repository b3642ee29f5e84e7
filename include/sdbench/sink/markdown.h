#pragma once

#include <span>
#include <string>

#include "sdbench/record/run_record.h"

namespace sdbench {

/// A Markdown table for people: one row a record, the figures one compares, units in the head.
[[nodiscard]] std::string to_markdown(std::span<const RunRecord> records);

} // namespace sdbench
