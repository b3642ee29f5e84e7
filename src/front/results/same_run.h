#pragma once

#include <string_view>

#include "sdbench/front/record/field_name.h"

namespace sdbench {

/// Fields in which copies of one run's row cannot differ. A copy may be redacted or lack raw times,
/// so a field may be empty.
inline constexpr FieldName kFactsOfARun[] = {"time_utc", "workload_id", "variant_id",
                                             "status",   "unet_it_s",   "e2e_s"};

/// Throws FieldError if a row has the run_id of an earlier row but differs in such a fact. Ignores
/// empty texts.
void check_same_fact(FieldName field, std::string_view earlier, std::string_view later);

} // namespace sdbench
