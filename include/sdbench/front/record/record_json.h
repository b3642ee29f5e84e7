#pragma once

#include <span>
#include <string>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The record as a JSON object. Its members are the fields in column order, then the raw times:
/// "first_image", "samples" and "partial_run". In the raw times, a run has a member NAME_s, in
/// seconds, for each of its parts. A missing number is null. Text is escaped (see escape_text), so
/// any bytes make valid JSON.
[[nodiscard]] nlohmann::ordered_json to_json(const RunRecord& record);
/// The record as one line of JSON, with a line end.
[[nodiscard]] std::string to_json_line(const RunRecord& record);
/// An array of records, indented.
[[nodiscard]] std::string to_json_document(std::span<const RunRecord> records);

/// Inverse of to_json. Ignores members that this version does not know. Missing members keep their
/// default values. Throws Error for a value of the wrong type, and for a schema_version that this
/// program does not read.
[[nodiscard]] RunRecord record_from_json(const nlohmann::ordered_json& json);

} // namespace sdbench
