#pragma once

#include <string>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Names of all fields in their fixed order, unquoted, one line with its line end.
[[nodiscard]] std::string csv_header();
/// One line with its line end: text always in quotes and escaped (see escape_text), numbers bare,
/// an absent number empty.
[[nodiscard]] std::string to_csv_row(const RunRecord& record);

/// The same without runtime_version and clip_skip: files that were begun before them go on so.
/// Nothing is lost, for libtorch_version has the version, too, and a row that leaves layers out is
/// refused: throws Error.
[[nodiscard]] std::string csv_header_of_before();
[[nodiscard]] std::string to_csv_row_of_before(const RunRecord& record);

} // namespace sdbench
