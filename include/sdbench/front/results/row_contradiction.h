#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/record/raw_times.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/results/field_value.h"

namespace sdbench {

/// What a row says that its other columns or its raw times say otherwise, in words: "unet_it_s is
/// 999, but step_count by repeat and unet_s is 8.45". Empty where all fits, as far as the row
/// tells. Rates, statistics of times and the ids that columns suffice for are computed anew; a part
/// in a thousand is no contradiction, for tables are rounded when they are shared. Where some of
/// its ids are ones, or its run_id is, all must be; a row of ids of another kind alone is not
/// checked at all. A row that has the flag kContradicts keeps it: what proved it, such as raw
/// times, may be gone by now. Takes a row before its ids are renewed, for old ones cannot be
/// checked.
[[nodiscard]] std::string contradiction_of(std::span<const FieldValue> row, const RawTimes& raw);
[[nodiscard]] std::string contradiction_of(const RunRecord& record);

/// Whether a field of the record is a measured number (one with a unit that is not of the work):
/// what is shown of rows for people leaves it out where the row contradicts itself.
[[nodiscard]] bool is_figure(std::size_t field);

} // namespace sdbench
