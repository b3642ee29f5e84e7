#pragma once

#include <string>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Names of all fields in their fixed order, unquoted, one line with its line end.
[[nodiscard]] std::string csv_header();
/// One line with its line end: text always in quotes and escaped (see escape_text), numbers bare,
/// an absent number empty.
[[nodiscard]] std::string to_csv_row(const RunRecord& record);

/// The same without the fields that came later: files that were begun before them go on so. Nothing
/// is lost: libtorch_version has the version, too, and refuse_lost_clip_skip() sees to the other.
[[nodiscard]] std::string csv_header_of_before();
[[nodiscard]] std::string to_csv_row_of_before(const RunRecord& record);

} // namespace sdbench
