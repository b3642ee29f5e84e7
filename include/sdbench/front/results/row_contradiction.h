#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Checks whether a row is consistent. Returns, in words, a contradiction between a column and
/// other columns or raw times: "unet_it_s is 999, but its raw times give 8.45". Empty if the row
/// shows no contradiction.
/// - Recomputes rates, statistics of times, and the ids that are hashes of columns.
/// - Allows a relative error of 1/1000, because shared tables are rounded.
/// - If any id has the form of sdbench's ids, all must have it. A row whose ids all have another
///   form is not checked.
/// - A row that already has the flag kContradicts counts as contradictory, because the evidence,
///   such as raw times, may be lost.
/// - Checks the ids from the file, so call it before ids are recomputed (redact.h).
[[nodiscard]] std::string contradiction_of(std::span<const FieldValue> row, const RawTimes& raw);
[[nodiscard]] std::string contradiction_of(const RunRecord& record);

/// True if a field is a measured number: it has a unit and does not describe the work. Tables for
/// people omit the figures of rows that contradict themselves.
[[nodiscard]] bool is_figure(std::size_t field);

} // namespace sdbench
