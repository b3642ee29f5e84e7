#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/record/run_record.h"

namespace sdbench {

/// Names of all fields in their fixed order, unquoted, one line with its line end.
[[nodiscard]] std::string csv_header();
/// One line with its line end: text always in quotes and escaped (see escape_text), numbers bare,
/// an absent number empty.
[[nodiscard]] std::string to_csv_row(const RunRecord& record);

/// Records of a CSV text with a header. Columns are found by name; those that this version does not
/// know are passed over, missing ones keep their defaults. Throws Error (`origin`, row and reason).
[[nodiscard]] std::vector<RunRecord> records_from_csv(std::string_view text,
                                                      const std::string& origin);

} // namespace sdbench
