#pragma once

#include <span>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Makes a table for people with one row per record. It has the figures to compare, with units in
/// the heads.
[[nodiscard]] ViewTable record_table(std::span<const RunRecord> records);

} // namespace sdbench
