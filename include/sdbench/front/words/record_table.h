#pragma once

#include <span>
#include <string_view>

#include "sdbench/base/record/run_record.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Records as a table for people: one row a record, the figures one compares, units in the heads.
[[nodiscard]] ViewTable record_table(std::span<const RunRecord> records);

/// Whether a text begins with such a table in a markup with bars: files of before have no first
/// line of their own.
[[nodiscard]] bool is_record_table(std::string_view text);

} // namespace sdbench
