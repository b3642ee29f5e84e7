#pragma once

#include <span>
#include <string_view>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Records as a table for people: one row for each record, the figures to compare, units in the
/// heads.
[[nodiscard]] ViewTable record_table(std::span<const RunRecord> records);

/// True if a text begins with such a table in a markup with bars, as files of older versions do,
/// which lack the marking first line.
[[nodiscard]] bool is_record_table(std::string_view text);

} // namespace sdbench
