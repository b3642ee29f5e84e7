#pragma once

#include <span>
#include <string>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Members in order of the columns, then "first_image", "samples" and "partial_run" with the raw
/// times, in which a run has a member NAME_s for each of its parts. An absent number is null. Text
/// is escaped (see escape_text), so any bytes make valid JSON.
[[nodiscard]] nlohmann::ordered_json to_json(const RunRecord& record);
/// One line with its line end.
[[nodiscard]] std::string to_json_line(const RunRecord& record);
/// An array of records, indented.
[[nodiscard]] std::string to_json_document(std::span<const RunRecord> records);

/// Inverse of to_json. Ignores members that this version does not know. Missing ones keep their
/// defaults, so that older records can be read. Throws Error for a wrong type, and for a newer
/// schema_version.
[[nodiscard]] RunRecord record_from_json(const nlohmann::ordered_json& json);

} // namespace sdbench
