#pragma once

#include <string>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Names of all fields in their fixed order, unquoted, one line with its line end.
[[nodiscard]] std::string csv_header();
/// One line with its line end: text always in quotes and escaped (see escape_text), numbers bare,
/// an absent number empty.
[[nodiscard]] std::string to_csv_row(const RunRecord& record);

} // namespace sdbench
