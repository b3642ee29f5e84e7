#pragma once

#include <string>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The header line: names of all fields in their fixed order, unquoted, with a line end.
[[nodiscard]] std::string csv_header();
/// The record as one line with a line end. Texts are always quoted and escaped (see escape_text),
/// numbers are bare, and a missing number is an empty field.
[[nodiscard]] std::string to_csv_row(const RunRecord& record);

} // namespace sdbench
