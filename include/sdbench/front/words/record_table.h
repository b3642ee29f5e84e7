#pragma once

#include <span>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Records as a table for people: one row for each record, the figures to compare, units in the
/// heads.
[[nodiscard]] ViewTable record_table(std::span<const RunRecord> records);

} // namespace sdbench
