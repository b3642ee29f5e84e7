#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A contradiction between a column and other columns or raw times, in words: "unet_it_s is 999,
/// but step_count by repeat and unet_s is 8.45". Empty if the row shows no contradiction.
/// Recomputes rates, statistics of times and the ids that columns determine. Allows a relative
/// error of 1/1000, because shared tables are rounded. If run_id or any other id has our form, all
/// ids must have it; a row whose ids all have a different form is not checked. A row with the flag
/// kContradicts keeps it, because its proof, such as raw times, may be gone. Takes a row before its
/// ids are renewed, because old ids cannot be checked.
[[nodiscard]] std::string contradiction_of(std::span<const FieldValue> row, const RawTimes& raw);
[[nodiscard]] std::string contradiction_of(const RunRecord& record);

/// True if a field is a measured number (one with a unit that does not describe the work). Tables
/// for people omit it if the row contradicts itself.
[[nodiscard]] bool is_figure(std::size_t field);

} // namespace sdbench
