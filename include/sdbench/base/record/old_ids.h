#pragma once

#include <string_view>
#include <vector>

#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Whether an id is of the form that they had before: 16 hexadecimal digits without a letter.
[[nodiscard]] bool is_old_id(std::string_view id);

/// Gives a row of a schema version before 4 the ids that it would have today, so that it is found
/// among new rows and pooled with them, and the fields of version 4. Ids are computed anew from its
/// columns where these still give the old id; not all do (a machine's name was taken out, say, or
/// the row was made by an early version). Then the old digits stay, behind the letter: such rows
/// pool among themselves. What was asked for is filled where it gives the row's variant_id.
void renew_row(RunRecord& record);
/// The fields besides the ids that renew_row looks at.
[[nodiscard]] std::vector<FieldName> fields_of_ids();

} // namespace sdbench
