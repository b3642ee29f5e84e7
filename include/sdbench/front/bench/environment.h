#pragma once

#include <ctime>
#include <string>

#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// The fields that describe the program and the machine; they are equal in all records of this
/// process. run_id and time_utc stay empty; run_cell() and skip_cell() fill them.
[[nodiscard]] RecordContext current_context();

/// A random id: a letter and 16 hexadecimal digits.
[[nodiscard]] std::string random_id();
/// The time in UTC: "2026-11-21T08:37:21Z".
[[nodiscard]] std::string utc_text(std::time_t time);
[[nodiscard]] std::string utc_now();

} // namespace sdbench
